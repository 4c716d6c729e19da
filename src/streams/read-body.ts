import type { IncomingMessage } from 'node:http';
import type { Clock } from '../ports/clock.js';

/** Why there is no body. */
export type NoBody =
  /** Known as soon as it is announced, or has come. */
  | 'too-long'
  /** The sender went away, or sent less than it announced. */
  | 'broken'
  /** It had to make room for others. */
  | 'crowded'
  /** It was not complete in time. */
  | 'too-slow';

/** Counts what is held of one body, where many are received at once. */
export interface BodyShare {
  /** So many more bytes of it have come. */
  take(bytes: number): void;
  /** It is held no more. */
  end(): void;
}

export interface BodyBounds {
  readonly maxBytes: number;
  /** Without one, the server's own time for a whole request is the limit. */
  readonly deadline?: { readonly clock: Clock; readonly ms: number };
  /** Begins to count a body. `cut` is called when the body has to make room for others. */
  readonly share?: (cut: () => void) => BodyShare;
  /** The length the sender announced: the body gets memory of its own, so that its bytes can be handed to another thread. */
  readonly ownMemory?: { readonly length: number };
}

/** What holding a piece costs besides its bytes: whoever sends a body byte by byte would have us hold hundreds of times its length. */
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
      // The rest, if any, is read and dropped by Node itself, within the time a request may take.
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
  /** Lets go of what is held: the listeners of a request outlive the reading of its body. */
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
  // Not from the pool that small buffers share: such memory cannot be handed to another thread.
  let bytes: Buffer | null = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  return {
    add: (chunk) => void (filled += bytes === null ? 0 : chunk.copy(bytes, filled)),
    whole: () => (filled === length ? bytes : null),
    drop: () => void (bytes = null),
  };
}
