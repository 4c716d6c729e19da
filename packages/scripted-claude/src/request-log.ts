import type { Instant } from './clock.js';
import type { Ending } from './delivery/deliver.js';
import { describeRequest, type ModelRequest } from './protocol/model-request.js';
import { type Matcher, matches } from './script/matcher.js';
import type { Turn } from './script/turn.js';

export type Answer =
  /** Not decided yet, or never: a function is still making up its turn, or the client went away before it had. */
  | { readonly kind: 'pending' }
  /** A script answered. */
  | { readonly kind: 'scripted'; readonly script: string; readonly turn: Turn; readonly ending: AnswerEnding }
  /** `count_tokens`, which needs no script. */
  | { readonly kind: 'counted' }
  /** No script could answer: 500. */
  | { readonly kind: 'unmatched'; readonly because: string };

/** `open`: still sending or holding. `abandoned`: the client went away. `closed`: the model was shut down meanwhile. */
export type AnswerEnding = 'open' | Ending | 'abandoned' | 'closed';

/** A request the model understood, and its answer. */
export interface Exchange {
  readonly at: Instant;
  readonly requestId: string;
  readonly request: ModelRequest;
  readonly answer: Answer;
}

/** A request that never reached the scripts: no such endpoint, a wrong credential, a body that makes no sense. */
export interface Stray {
  readonly kind: 'unexpected' | 'unauthorised' | 'malformed';
  readonly at: Instant;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly because: string;
}

interface Waiter {
  readonly when: Matcher;
  readonly count: number;
  readonly resolve: (exchange: Exchange) => void;
  readonly reject: (error: Error) => void;
}

/** Every request, in the order of arrival. */
export class RequestLog {
  readonly #exchanges: { -readonly [K in keyof Exchange]: Exchange[K] }[] = [];
  readonly #strays: Stray[] = [];
  #waiters: Waiter[] = [];

  get all(): readonly Exchange[] {
    return this.#exchanges;
  }

  get strays(): readonly Stray[] {
    return this.#strays;
  }

  /** The exchanges whose request a script with this matcher would take. */
  matching(when: Matcher): Exchange[] {
    return this.#exchanges.filter((exchange) => matches(when, exchange.request));
  }

  /** The `count`-th matching exchange, once it is being answered: a held connection is in place by then. */
  async waitFor(when: Matcher, count = 1): Promise<Exchange> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ when, count, resolve, reject });
      this.#notify();
    });
  }

  /** Throws, naming every request that no script answered, that went to an unknown endpoint, or that made no sense. */
  assertAllMatched(): void {
    const unmatched = this.#exchanges.flatMap(({ answer }) => (answer.kind === 'unmatched' ? [answer.because] : []));
    const strays = this.#strays
      .filter((stray) => stray.kind !== 'unauthorised')
      .map((stray) => `${stray.method} ${stray.path}: ${stray.because}`);
    const problems = [...unmatched, ...strays];
    if (problems.length === 0) return;
    const list = problems.map((problem) => `\n- ${problem}`).join('');
    throw new Error(`The scripted model could not answer ${problems.length} request(s):${list}`);
  }

  /** Adds a request; the returned function sets its answer. */
  add(entry: Omit<Exchange, 'answer'>): (answer: Answer) => void {
    const exchange: { -readonly [K in keyof Exchange]: Exchange[K] } = { ...entry, answer: { kind: 'pending' } };
    this.#exchanges.push(exchange);
    return (answer) => {
      exchange.answer = answer;
      this.#notify();
    };
  }

  addStray(stray: Stray): void {
    this.#strays.push(stray);
  }

  /** Nothing more will come. */
  close(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    const seen = this.#exchanges.map((exchange) => `\n- ${describeRequest(exchange.request)}`).join('');
    for (const { when, reject } of waiters) {
      reject(
        new Error(`The model was closed while a request matching ${JSON.stringify(when)} was awaited. Seen:${seen}`),
      );
    }
  }

  #notify(): void {
    this.#waiters = this.#waiters.filter(({ when, count, resolve }) => {
      const found = this.matching(when).filter((exchange) => exchange.answer.kind !== 'pending')[count - 1];
      if (found !== undefined) resolve(found);
      return found === undefined;
    });
  }
}
