import type { ErrorType } from '../protocol/errors.js';
import { say } from './say.js';
import type { Delivery, MessageTurn, StreamPoint } from './turn.js';

export interface BreakOptions {
  /** How many requests are disturbed before the script continues; all of them when nothing follows. */
  readonly times?: number;
}

/** Where the stream breaks; after three events (start of message, start of block, ping) unless said otherwise. */
export interface PointOptions extends BreakOptions {
  readonly afterEvents?: number;
  readonly afterBytes?: number;
}

export interface HoldOptions extends BreakOptions {
  /** Milliseconds on the model's clock; without it the connection is held until either side closes it. */
  readonly forMs?: number;
}

const DEFAULT_EVENTS = 3;
const BROKEN = say('This answer does not arrive undisturbed.');

/** The socket is destroyed in the middle of the answer. */
export const cut = (options: PointOptions = {}, turn: MessageTurn = BROKEN): MessageTurn =>
  disturb(turn, options, { kind: 'cut', at: point(options) });

/** The answer stops in the middle and the connection stays open. */
export const stall = (options: PointOptions & HoldOptions = {}, turn: MessageTurn = BROKEN): MessageTurn =>
  disturb(turn, options, { kind: 'stall', at: point(options), forMs: options.forMs ?? null });

/** The request is accepted and nothing comes back, not even headers. */
export const hang = (options: HoldOptions = {}, turn: MessageTurn = BROKEN): MessageTurn =>
  disturb(turn, options, { kind: 'hang', forMs: options.forMs ?? null });

/** The connection is reset before anything comes back. */
export const reset = (options: BreakOptions = {}, turn: MessageTurn = BROKEN): MessageTurn =>
  disturb(turn, options, { kind: 'reset' });

/** The answer comes one event at a time, each after `everyMs` on the model's clock. */
export const drip = (options: BreakOptions & { readonly everyMs: number }, turn: MessageTurn = BROKEN): MessageTurn =>
  disturb(turn, options, { kind: 'drip', everyMs: options.everyMs });

/** An event in the stream is not JSON. */
export const malformed = (options: PointOptions = {}, turn: MessageTurn = BROKEN): MessageTurn =>
  disturb(turn, options, { kind: 'malformed', at: point(options) });

export interface ErrorEventOptions extends PointOptions {
  readonly type?: ErrorType;
  readonly message?: string;
}

/** `event: error` in the stream; as a plain HTTP error when the request is not streamed. */
export function errorEvent(options: ErrorEventOptions = {}, turn: MessageTurn = BROKEN): MessageTurn {
  const errorType = options.type ?? 'overloaded_error';
  return disturb(turn, options, {
    kind: 'error-event',
    at: point(options),
    errorType,
    message: options.message ?? null,
  });
}

function disturb(turn: MessageTurn, { times }: BreakOptions, delivery: Delivery): MessageTurn {
  return { ...turn, delivery, times: times ?? turn.times };
}

function point(options: PointOptions): StreamPoint {
  if (options.afterBytes !== undefined) return { afterBytes: options.afterBytes };
  return { afterEvents: options.afterEvents ?? DEFAULT_EVENTS };
}
