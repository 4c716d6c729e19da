import { publish, publishPlain } from '../../../../domain/sanitise/publish.js';
import type { Redact } from '../../../../domain/sanitise/redact.js';
import type { Rule } from './rule.js';

/** Fields that hold text for people: Markdown, and plain text. */
const MARKDOWN = new Set(['body', 'summary', 'text']);
const PLAIN = new Set(['title', 'commitHeadline', 'commitBody', 'description', 'message']);

/** A text that is sent unchanged. Only for text that somebody else already put on GitHub. */
class Verbatim {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const verbatim = (text: string): unknown => new Verbatim(text);

/** Sanitises every text sent to GitHub, whoever wrote it. */
export const publishTexts =
  (redact: Redact): Rule =>
  async (send, { method, baseUrl, url, headers, request, mediaType, ...parameters }) => {
    const published = Object.entries(parameters).map(([name, value]) => [name, outgoing(value, redact, name)]);
    return send({ ...Object.fromEntries(published), method, baseUrl, url, headers, request, mediaType });
  };

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
