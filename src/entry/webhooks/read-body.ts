import type { IncomingMessage } from 'node:http';

/** The bytes of a request; `too-long` as soon as that is known, `broken` when the sender goes away. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | 'too-long' | 'broken'> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve('too-long');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= maxBytes) return void chunks.push(chunk);
      // The rest is read and dropped by Node itself, within the time a request may take.
      request.off('data', take);
      resolve('too-long');
    };
    request.on('data', take);
    request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks)));
    request.once('error', () => resolve('broken'));
    request.once('close', () => resolve('broken'));
  });
}

const EMPTY = Buffer.alloc(0);
