import type { IncomingMessage } from 'node:http';
import type { Clock } from '../ports/clock.js';

/** Why there is no body. */
export type NoBody =
  /** Longer than allowed, by its announced or its real length. */
  | 'too-long'
  /** The sender went away, or sent less than it announced. */
  | 'broken'
  /** It was dropped to make room for others. */
  | 'crowded'
  /** It was not complete in time. */
  | 'too-slow';

/** Counts the bytes held of one body, when many are received at once. */
export interface BodyShare {
  /** This many more bytes have arrived. */
  take(bytes: number): void;
  /** The body is no longer held. */
  end(): void;
}

export interface BodyBounds {
  readonly maxBytes: number;
  /** Without one, the server's own request timeout is the limit. */
  readonly deadline?: { readonly clock: Clock; readonly ms: number };
  /** Begins to count a body. `cut` is called when the body has to make room for others. */
  readonly share?: (cut: () => void) => BodyShare;
  /** The announced length. The body gets its own memory, so that its bytes can be passed to another thread. */
  readonly ownMemory?: { readonly length: number };
}

/** The memory each piece costs besides its bytes. A body sent byte by byte takes hundreds of times its length. */
const PIECE_BYTES = 512;

/** The bytes of a request, within bounds. */
export function readBody(request: IncomingMessage, bounds: BodyBounds): Promise<Buffer | NoBody> {
  const { maxBytes, deadline, ownMemory } = bounds;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve('too-long');
  if (request.destroyed) return Promise.resolve('broken');
  const pieces = ownMemory === undefined ? growing() : ofLength(ownMemory.length);
  return new Promise((resolve) => {
    let length = 0;
    const settle = (result: Buffer | NoBody): void => {
      // Node itself reads and drops the rest, within its request timeout.
      request.off('data', take);
      cancel?.();
      share?.end();
      pieces.drop();
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > maxBytes) return settle('too-long');
      pieces.add(chunk);
      share?.take(chunk.length + PIECE_BYTES);
    };
    const share = bounds.share?.(() => settle('crowded'));
    const cancel = deadline?.clock.at(deadline.clock.now() + deadline.ms, () => settle('too-slow'));
    request.on('data', take);
    request.once('end', () => settle(pieces.whole() ?? 'broken'));
    request.once('error', () => settle('broken'));
    request.once('close', () => settle('broken'));
  });
}

interface Pieces {
  add(chunk: Buffer): void;
  /** `null` when something is missing. */
  whole(): Buffer | null;
  /** Frees what is held, because the listeners of a request live longer than the reading of its body. */
  drop(): void;
}

function growing(): Pieces {
  const chunks: Buffer[] = [];
  return {
    add: (chunk) => void chunks.push(chunk),
    whole: () => (chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)),
    drop: () => void (chunks.length = 0),
  };
}

function ofLength(length: number): Pieces {
  // Not from the pool of small buffers, because pooled memory cannot be passed to another thread.
  let bytes: Buffer | null = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  return {
    add: (chunk) => void (filled += bytes === null ? 0 : chunk.copy(bytes, filled)),
    whole: () => (filled === length ? bytes : null),
    drop: () => void (bytes = null),
  };
}
