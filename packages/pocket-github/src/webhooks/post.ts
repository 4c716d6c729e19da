import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isLoopbackUrl } from './loopback.js';

/** How a receiver answered, or why it did not. */
export interface Answer {
  /** As GitHub words it: `OK`, or what went wrong. */
  readonly status: string;
  /** The receiver's own, or 502 and 504 where there was none. */
  readonly statusCode: number;
  readonly reached: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** More than this of an answer is not kept. */
const MAX_ANSWER_BYTES = 64 * 1024;

const unreached = (status: string, statusCode: number): Answer => ({
  status,
  statusCode,
  reached: false,
  headers: {},
  body: '',
});

/** Posts a webhook. Never throws: a receiver that cannot be reached is an answer too. A fresh connection each time, so none can be stale. */
export function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  timeoutMs: number,
  stop: AbortSignal,
): Promise<Answer> {
  if (!isLoopbackUrl(url)) return Promise.resolve(unreached('not a loopback address', 502));
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([timeout, stop]);
  return new Promise((resolve) => {
    const fail = () =>
      resolve(timeout.aborted ? unreached('timed out', 504) : unreached('failed to connect to host', 502));
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const length = String(Buffer.byteLength(body));
    const request = send(url, {
      method: 'POST',
      agent: false,
      signal,
      headers: { ...headers, 'content-length': length },
    });
    request.once('error', fail);
    request.once('response', (response) => {
      readAnswer(response).then(resolve, fail);
    });
    request.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (size < MAX_ANSWER_BYTES) chunks.push(chunk);
    size += chunk.length;
  }
  const statusCode = response.statusCode ?? 0;
  const entries = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: statusCode >= 200 && statusCode < 400 ? 'OK' : `Invalid HTTP Response: ${statusCode}`,
    statusCode,
    reached: true,
    headers: Object.fromEntries(entries) as Record<string, string>,
    body: Buffer.concat(chunks).toString('utf8').slice(0, MAX_ANSWER_BYTES),
  };
}
