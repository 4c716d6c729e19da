import { isUtf8 } from 'node:buffer';
import { JsonScan, ScanRefusal } from './json-scan.js';
import { REQUEST_SHAPE } from './messages-shape.js';
import type { Fields, Reported, Spot } from './shape.js';

/** The endpoint of a request. */
export type Endpoint = 'message' | 'count';

/** The position of a number that may have to be lowered. */
export interface NumberSpot extends Spot {
  readonly value: number;
}

/** The parts of the input that decide its cost. */
export interface InputWeight {
  /** All bytes except images and PDFs. */
  readonly textBytes: number;
  readonly images: number;
  readonly pdfs: number;
  /** The most expensive cache write that it asks for. */
  readonly cacheWrite: 'none' | 'short' | 'long';
}

export interface JudgedRequest {
  readonly model: string;
  readonly isStreamed: boolean;
  readonly input: InputWeight;
  /** `null` when tokens are only counted. */
  readonly maxTokens: NumberSpot | null;
  readonly thinkingTokens: NumberSpot | null;
}

export type Verdict =
  /** The bytes may be forwarded unchanged. */
  { readonly kind: 'allowed'; readonly request: JudgedRequest } | { readonly kind: 'refused'; readonly why: string };

const MODEL = /^[\w.:@[\]-]{1,100}$/;

/** Accepts exactly what the allow-list names, at any depth. */
export function judgeBody(bytes: Buffer, endpoint: Endpoint): Verdict {
  if (!isUtf8(bytes)) return { kind: 'refused', why: 'The request is not UTF-8.' };
  const found = new Findings(bytes);
  try {
    new JsonScan(bytes, (reported, fields) => found.add(reported, fields)).run(REQUEST_SHAPE);
    return { kind: 'allowed', request: found.request(endpoint) };
  } catch (error) {
    if (error instanceof ScanRefusal) return { kind: 'refused', why: error.message };
    throw error;
  }
}

/** Collects facts about a request while it is scanned. */
class Findings {
  readonly #bytes: Buffer;
  #request: Fields = new Map();
  #thinking: Fields = new Map();
  #images = 0;
  #pdfs = 0;
  #mediaBytes = 0;
  #cacheWrite: InputWeight['cacheWrite'] = 'none';

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  add(reported: Reported, fields: Fields): void {
    if (reported === 'request') this.#request = fields;
    if (reported === 'thinking') this.#thinking = fields;
    if (reported === 'source') this.#addSource(fields);
    if (reported === 'cache' && this.#cacheWrite !== 'long') {
      this.#cacheWrite = this.#text(fields.get('ttl')) === '1h' ? 'long' : 'short';
    }
  }

  request(endpoint: Endpoint): JudgedRequest {
    const model = this.#text(this.#request.get('model'));
    if (!MODEL.test(model)) throw new ScanRefusal('model is missing, or is no name of a model.');
    const maxTokens = this.#number('max_tokens', this.#request.get('max_tokens'));
    if (endpoint === 'message' && maxTokens === null) throw new ScanRefusal('max_tokens is missing.');
    return {
      model,
      isStreamed: this.#text(this.#request.get('stream')) === 'true',
      input: {
        textBytes: this.#bytes.length - this.#mediaBytes,
        images: this.#images,
        pdfs: this.#pdfs,
        cacheWrite: this.#cacheWrite,
      },
      maxTokens: endpoint === 'message' ? maxTokens : null,
      thinkingTokens: this.#number('thinking.budget_tokens', this.#thinking.get('budget_tokens')),
    };
  }

  #addSource(fields: Fields): void {
    if (this.#text(fields.get('type')) !== 'base64') return;
    const { start = 0, end = 0 } = fields.get('data') ?? {};
    this.#mediaBytes += end - start;
    if (this.#text(fields.get('media_type')).startsWith('image/')) this.#images += 1;
    else this.#pdfs += 1;
  }

  #number(name: string, spot: Spot | undefined): NumberSpot | null {
    if (spot === undefined) return null;
    const text = this.#text(spot);
    if (!/^[1-9]\d{0,6}$/.test(text)) throw new ScanRefusal(`${name} must be a whole number above zero.`);
    return { ...spot, value: Number(text) };
  }

  #text(spot: Spot | undefined): string {
    return spot === undefined ? '' : this.#bytes.toString('utf8', spot.start, spot.end);
  }
}
