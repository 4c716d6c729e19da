import { publish, publishPlain } from '../../../domain/sanitise/publish.js';
import type { Redact } from '../../../domain/sanitise/redact.js';
import type { GitHubApi } from './github-api.js';

/** Where people's texts are in what is sent: Markdown, and text that is none. */
const MARKDOWN = new Set(['body', 'summary', 'text']);
const PLAIN = new Set(['title', 'commitHeadline', 'commitBody', 'description', 'message']);

/** A text that leaves as it is. Only for what stands on GitHub already, by somebody else's hand. */
class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const verbatim = (text: string): unknown => new Verbatim(text);

/** The one door for texts: whatever is sent to GitHub goes through here, whoever made it. */
export function withPublishedTexts(api: GitHubApi, redact: Redact): GitHubApi {
  const published = (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, outgoing(value, redact, name)]));
  return {
    ...api,
    rest: (repo, route, parameters, ...more) => api.rest(repo, route, published(parameters), ...more),
    graphql: (repo, document, variables, ...more) => api.graphql(repo, document, published(variables), ...more),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function outgoing(value: unknown, redact: Redact, key: string): unknown {
  if (value instanceof Verbatim) return value.text;
  if (typeof value === 'string') return outgoingText(value, redact, key);
  if (Array.isArray(value)) return value.map((one) => outgoing(one, redact, key));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, outgoing(one, redact, name)]));
}

function outgoingText(text: string, redact: Redact, key: string): string {
  if (MARKDOWN.has(key)) return publish(text, redact);
  return PLAIN.has(key) ? publishPlain(text, redact) : text;
}
