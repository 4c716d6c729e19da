import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../ports/clock.js';

export type ReadBody =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  /** It did not come in time. */
  | { readonly kind: 'late' }
  /** The client went away. */
  | { readonly kind: 'gone' };

export interface Reading {
  /** As announced by the client. */
  readonly length: number;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/** Reads a body of known length into memory of its own. */
export async function readBody(incoming: IncomingMessage, { length, clock, timeoutMs }: Reading): Promise<ReadBody> {
  if (incoming.destroyed) return { kind: 'gone' };
  // Not from the pool that small buffers share: these bytes go to another thread.
  const bytes = Buffer.allocUnsafeSlow(length);
  const filled = { to: 0 };
  return new Promise((resolve) => {
    const cancel = clock.at(clock.now() + timeoutMs, () => end({ kind: 'late' }));
    const end = (read: ReadBody): void => {
      cancel();
      incoming.off('data', take);
      resolve(read);
    };
    const take = (chunk: Buffer): void => void (filled.to += chunk.copy(bytes, filled.to));
    incoming.on('data', take);
    incoming.once('end', () => end(filled.to === length ? { kind: 'whole', bytes } : { kind: 'gone' }));
    incoming.once('close', () => end({ kind: 'gone' }));
    incoming.once('error', () => end({ kind: 'gone' }));
  });
}
