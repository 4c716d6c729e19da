import type { IncomingMessage } from 'node:http';

const LARGEST_BODY = 32 * 1024 * 1024;

export type Body =
  | { readonly kind: 'text'; readonly text: string }
  /** Larger than the API takes. */
  | { readonly kind: 'too-large' }
  /** The client went away before it had sent everything. */
  | { readonly kind: 'unfinished' };

/** Reads the whole body. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      const bytes = Buffer.from(chunk as Uint8Array);
      size += bytes.length;
      // The rest is still read, so that the client gets the answer instead of a broken pipe.
      if (size <= LARGEST_BODY) chunks.push(bytes);
    }
  } catch {
    return { kind: 'unfinished' };
  }
  if (size > LARGEST_BODY) return { kind: 'too-large' };
  return { kind: 'text', text: Buffer.concat(chunks).toString('utf8') };
}
