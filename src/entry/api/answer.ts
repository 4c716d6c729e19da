import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ApiError } from './api-error.js';

/** The answer to a request. */
export interface Answer {
  readonly status: number;
  readonly body: object | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Adds an ETag. A client that has the content already gets 304. */
export function withEtag(body: object, known: string | undefined): Answer {
  const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22)}"`;
  const same = (known ?? '').split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
  return { status: same ? 304 : 200, body: same ? null : body, headers: { etag } };
}

export function failure({ status, code, explanation, headers }: ApiError): Answer {
  return { status, body: { error: { code, ...explanation } }, headers };
}

export function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  if (body === null) {
    response.writeHead(status, headers).end();
    return;
  }
  const text = `${JSON.stringify(body)}\n`;
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      'content-length': Buffer.byteLength(text),
      ...headers,
    })
    .end(text);
}
