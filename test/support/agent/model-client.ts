import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterEach } from '@jest/globals';
import type { ModelPass } from '../../../src/ports/model-gate.js';

/** The smallest request to the Messages API. */
export const REQUEST = { model: 'claude-opus-5-5', max_tokens: 1000, messages: [{ role: 'user', content: 'Hello' }] };

export interface Ask {
  readonly body?: Record<string, unknown> | string | Buffer;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly path?: string;
  readonly signal?: AbortSignal;
}

/** Sends like the CLI: to the socket or URL in the run's environment. */
export async function openAnswer(
  pass: ModelPass,
  { body = {}, headers = {}, method, path, signal }: Ask = {},
): Promise<IncomingMessage> {
  const { ANTHROPIC_UNIX_SOCKET: socketPath, ANTHROPIC_BASE_URL: url = '' } = pass.env;
  const token = pass.env['ANTHROPIC_API_KEY'];
  const usual = token === undefined ? {} : { 'x-api-key': token };
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      ...(socketPath === undefined ? {} : { socketPath }),
      ...(signal === undefined ? {} : { signal }),
      method: method ?? 'POST',
      path: path ?? '/v1/messages?beta=true',
      headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...usual, ...headers },
    });
    asked.once('response', resolve);
    asked.once('error', reject);
    asked.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify({ ...REQUEST, ...body }));
  });
}

export async function ask(pass: ModelPass, options?: Ask): Promise<{ status: number; text: string }> {
  const response = await openAnswer(pass, options);
  return { status: response.statusCode ?? 0, text: await textOf(response) };
}

/** An API under the test's control. */
export interface TestApi {
  readonly url: string;
  /** The requests it received, oldest first. */
  readonly seen: readonly { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /** Settles when a client goes away, or has its whole answer. */
  readonly left: Promise<unknown>;
}

/** Starts APIs that are closed after each test of the file that calls this. */
export function apiStarter(): (answer?: (response: ServerResponse) => void) => Promise<TestApi> {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
  });
  return async (answer = (response) => void response.end('{}')) => {
    const seen: TestApi['seen'][number][] = [];
    const server = createServer();
    const left = new Promise((resolve) => {
      const take = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
        response.once('close', resolve);
        seen.push({ url: incoming.url ?? '', headers: incoming.headers, body: await textOf(incoming) });
        answer(response);
      };
      server.on('request', (incoming, response) => void take(incoming, response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, left };
  };
}
