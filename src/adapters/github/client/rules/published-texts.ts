import { publish, publishPlain } from '../../../../domain/sanitise/publish.js';
import type { Redact } from '../../../../domain/sanitise/redact.js';
import type { Rule } from './rule.js';

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

/** Every text that is sent to GitHub is made harmless here, whoever wrote it. */
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
