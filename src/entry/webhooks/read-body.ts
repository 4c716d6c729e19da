import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../ports/clock.js';
import type { BodyBudget } from './body-budget.js';

export interface BodyReading {
  readonly maxBytes: number;
  readonly budget: BodyBudget;
  readonly clock: Clock;
}

/** Why there is no body. */
export type NoBody =
  /** Known as soon as it is announced, or has come. */
  | 'too-long'
  /** The sender went away. */
  | 'broken'
  /** It had to make room for others. */
  | 'crowded'
  /** It was not complete in time. */
  | 'too-slow';

/** After ten seconds GitHub takes a delivery for failed: nobody waits for the rest of what is slower. */
const BODY_MS = 10_000;
/** What holding a piece costs besides its bytes: whoever sends a body byte by byte would have us hold hundreds of times its length. */
const PIECE_BYTES = 512;

/** The bytes of a request, within what may be held at once. */
export function readBody(request: IncomingMessage, { maxBytes, budget, clock }: BodyReading): Promise<Buffer | NoBody> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve('too-long');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (result: Buffer | NoBody): void => {
      // The rest, if any, is read and dropped by Node itself, within the time a request may take.
      request.off('data', take);
      cancel();
      share.end();
      chunks.length = 0;
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > maxBytes) return settle('too-long');
      chunks.push(chunk);
      share.take(chunk.length + PIECE_BYTES);
    };
    const share = budget.begin(request.socket.remoteAddress ?? '', () => settle('crowded'));
    const cancel = clock.at(clock.now() + BODY_MS, () => settle('too-slow'));
    request.on('data', take);
    request.once('end', () => settle(chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks)));
    request.once('error', () => settle('broken'));
    request.once('close', () => settle('broken'));
  });
}

const EMPTY = Buffer.alloc(0);
