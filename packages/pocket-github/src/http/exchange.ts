import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from './reply.js';

/** GitHub refuses larger API bodies too; git traffic is streamed and not read through here. */
const MAX_BODY_BYTES = 25 * 1024 * 1024;

export class BodyTooLargeError extends Error {}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new BodyTooLargeError('Payload too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Bytes and content type of a reply's body. */
export function encodeBody(reply: Reply): { readonly bytes: Buffer; readonly type: string | null } {
  if (reply.body === null || 'stream' in reply.body) return { bytes: Buffer.alloc(0), type: null };
  if ('bytes' in reply.body) return { bytes: reply.body.bytes, type: null };
  return { bytes: Buffer.from(JSON.stringify(reply.body.json)), type: 'application/json; charset=utf-8' };
}

export async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.body !== null && 'stream' in reply.body) return reply.body.stream(response);
  const { bytes, type } = encodeBody(reply);
  const withType = type === null ? {} : { 'content-type': type };
  response.writeHead(reply.status, { ...withType, ...reply.headers, 'content-length': String(bytes.length) });
  response.end(bytes);
}

export function headerMap(request: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
