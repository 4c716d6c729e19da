import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandFailure } from './command-failure.js';

export interface ServerOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Answers whether the request was for it. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  /** Whether work could be taken now. */
  readonly ready: () => Promise<boolean>;
}

export interface HttpServer {
  readonly url: string;
  /** Takes nothing new; open connections end. */
  close(): Promise<void>;
}

/** The HTTP side: webhooks, and whether we are alive and ready. */
export async function startServer({ host, port, serve, ready }: ServerOptions): Promise<HttpServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/healthz') return say(response, 200, 'ok');
    if (pathname === '/readyz') return (await ready()) ? say(response, 200, 'ready') : say(response, 503, 'not ready');
    if (!(await serve(request, response)) && !response.headersSent) say(response, 404, 'there is nothing here');
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(new CommandFailure(`cannot listen on ${host}:${port}: ${error.message}; choose another PORT or HOST`));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      // Webhooks are answered at once: who is still connected after that only keeps us from ending.
      setTimeout(() => server.closeAllConnections(), LINGER_MS).unref();
      await closed;
    },
  };
}

const LINGER_MS = 1_000;

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
