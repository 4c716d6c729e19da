import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandFailure } from '../cli/command-failure.js';

/** Answers a request. Returns whether the request was for this handler. */
export type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<boolean>;

export interface ServerOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** Tried in this order until one answers. */
  readonly handlers: readonly Handler[];
  /** Whether the service can take work. */
  readonly ready: () => Promise<boolean>;
}

export interface HttpServer {
  readonly url: string;
  /** Accepts no new connections; open ones end. */
  close(): Promise<void>;
}

const HERE = 'http://localhost';
const LINGER_MS = 1_000;
/** Longer than any honest client needs; slow ones only hold connections. */
const REQUEST_MS = 30_000;
const HEADERS_MS = 10_000;
/** More than GitHub, a proxy and event streams ever need. */
const MOST_CONNECTIONS = 2_000;
const MOST_FROM_ONE_ADDRESS = 1_000;

/** The HTTP server: the handlers, and the health checks. */
export async function startServer({ host, port, handlers, ready }: ServerOptions): Promise<HttpServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url: target = '/' } = request;
    if (!URL.canParse(target, HERE)) return say(response, 400, 'this is not an address');
    const url = new URL(target, HERE);
    if (url.pathname === '/healthz') return say(response, 200, 'ok');
    if (url.pathname === '/readyz')
      return (await ready()) ? say(response, 200, 'ready') : say(response, 503, 'not ready');
    for (const handle of handlers) if (await handle(request, response, url)) return;
    say(response, 404, 'there is nothing here');
  };
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: HEADERS_MS }, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  boundConnections(server);
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
      // Webhooks are answered at once; other open connections would only delay the end.
      setTimeout(() => server.closeAllConnections(), LINGER_MS).unref();
      await closed;
    },
  };
}

/** Bounds connections, because each costs memory before it sends anything. */
function boundConnections(server: Server): void {
  server.maxConnections = MOST_CONNECTIONS;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const { remoteAddress: address = '' } = socket;
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (count > MOST_FROM_ONE_ADDRESS) socket.destroy();
  });
}

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
