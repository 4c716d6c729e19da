import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CONTROL_PREFIX, GRAPHQL_PATH, REST_PREFIX } from '../urls.js';
import { BodyTooLargeError, send } from './exchange.js';
import type { Outcome } from './gate.js';
import { json } from './reply.js';

/** One part of the server: takes the requests that are its own and answers them. */
export interface Surface {
  readonly owns: (path: string) => boolean;
  /** What becomes of the request; `null` when the surface has written the response itself. */
  readonly serve: (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<Outcome | null>;
}

export const isRest = (path: string): boolean => path === REST_PREFIX || path.startsWith(`${REST_PREFIX}/`);
export const isGraphql = (path: string): boolean => path === GRAPHQL_PATH;
export const isControl = (path: string): boolean => path.startsWith(`${CONTROL_PREFIX}/`);

const LOOPBACK_HOST = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])(:\d+)?$/;

/** The HTTP server of one Pocket GitHub. Listens on loopback only and answers no other host name (DNS rebinding). */
export class PocketServer {
  readonly #server: Server;
  readonly #onDefect: (error: unknown) => void;
  #surfaces: readonly Surface[] = [];
  #underWay = 0;

  constructor(onDefect: (error: unknown) => void) {
    this.#onDefect = onDefect;
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#server.keepAliveTimeout = 60_000;
  }

  /** Starts listening; the surfaces come after, because they need to know the address. */
  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  mount(surfaces: readonly Surface[]): void {
    this.#surfaces = surfaces;
  }

  /** How many requests are being answered. */
  requestsUnderWay(): number {
    return this.#underWay;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#underWay += 1;
    try {
      const outcome = await this.#route(request, response);
      if (outcome === null) return;
      if (outcome.kind === 'reset') request.socket.destroy();
      if (outcome.kind === 'reply') await send(response, outcome.reply);
    } catch (error) {
      if (!(error instanceof BodyTooLargeError)) this.#onDefect(error);
      if (response.headersSent) request.socket.destroy();
      else await send(response, failure(error));
    } finally {
      this.#underWay -= 1;
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<Outcome | null> {
    if (!LOOPBACK_HOST.test(request.headers.host ?? '')) {
      return { kind: 'reply', reply: json(421, { message: 'Pocket GitHub answers only on loopback addresses' }) };
    }
    if (isForeign(request)) {
      return { kind: 'reply', reply: json(403, { message: 'Pocket GitHub answers no pages of other origins' }) };
    }
    const url = targetOf(request);
    if (url === null) return { kind: 'reply', reply: json(404, { message: 'Not Found' }) };
    const surface = this.#surfaces.find((candidate) => candidate.owns(url.pathname));
    if (surface === undefined) return { kind: 'reply', reply: json(404, { message: 'Not Found' }) };
    return surface.serve(request, response, url);
  }
}

/** Browsers say whose page sends a request; git and API clients say nothing. A foreign page must not even try a token. */
function isForeign({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && origin !== `http://${host}`;
}

/** What is asked for, below this server: a target such as `//elsewhere/x` is a path too, and no other host. */
function targetOf({ url = '/' }: IncomingMessage): URL | null {
  const path = /^https?:/i.test(url) ? url : `http://pocket${url.startsWith('/') ? url : `/${url}`}`;
  return URL.canParse(path) ? new URL(path) : null;
}

function failure(error: unknown) {
  // The rest of the body is not read, so the connection cannot be used again.
  if (error instanceof BodyTooLargeError) return json(413, { message: error.message }, { connection: 'close' });
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return json(500, { message: 'Pocket GitHub has a defect', detail });
}
