import { request as httpRequest } from 'node:http';
import type { Api } from '../../../src/entry/api/api.js';
import { type HttpServer, startServer } from '../../../src/entry/service/server.js';
import { assertDescribed } from './open-api.js';

export const TOKEN = 'a-token-of-some-length';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A client of the HTTP API that checks every exchange against its description. */
export interface ApiClient {
  readonly url: string;
  ask(method: string, path: string, sent?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Uses another host name, as a web page could make a browser do. */
  askAs(host: string, path: string): Promise<number>;
  close(): Promise<void>;
}

export async function serveApi(api: Api): Promise<ApiClient> {
  const server: HttpServer = await startServer({
    host: '127.0.0.1',
    port: 0,
    handlers: [api.handle],
    ready: async () => true,
  });
  return {
    url: server.url,
    ask: async (method, path, sent, headers = {}) => {
      const url = new URL(path, server.url);
      const body = sent === undefined ? null : typeof sent === 'string' ? sent : JSON.stringify(sent);
      const answer = await fetch(url, {
        method,
        body,
        headers: {
          authorization: `Bearer ${TOKEN}`,
          ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      });
      const type = answer.headers.get('content-type');
      const text = await answer.text();
      const received: unknown = type?.startsWith('application/json') === true ? JSON.parse(text) : text;
      const given = sent === undefined || typeof sent === 'string' ? {} : { sent };
      assertDescribed({ method, url, ...given, status: answer.status, type, received });
      return { status: answer.status, headers: answer.headers, body: received };
    },
    askAs: (host, path) =>
      new Promise((resolve, reject) => {
        const { port } = new URL(server.url);
        httpRequest(
          { host: '127.0.0.1', port, path, headers: { host, authorization: `Bearer ${TOKEN}` } },
          (answer) => {
            answer.resume();
            resolve(answer.statusCode ?? 0);
          },
        )
          .on('error', reject)
          .end();
      }),
    close: async () => {
      api.close();
      await server.close();
    },
  };
}
