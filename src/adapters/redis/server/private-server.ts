import { randomBytes } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import type { Clock } from '../../../ports/clock.js';
import type { Log } from '../../../ports/log.js';
import { awaitRedis } from '../redis-client.js';
import { within } from '../../../concurrency/within.js';

export interface ServerAddress {
  /** On loopback. */
  readonly port: number;
  readonly password: string;
}

/** A server process of ours. */
export interface Launched {
  /** Resolves with its last output when it has ended, expected or not. */
  readonly ended: Promise<string>;
  /** Whether it asks for the password. */
  readonly guarded: boolean;
  /** Asks it to end. */
  stop(): void;
  /** Ends it now. */
  kill(): void;
}

/** Starts a server that ends with this process in every case. It may not answer yet. */
export type Launch = (address: ServerAddress) => Promise<Launched>;

export interface KeepParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly startMs: number;
}

/** Another process may take the port before the server does. */
const TRIES = 3;
const PAUSE_MS = 1_000;
const STOP_MS = 5_000;

/** Starts a server, and restarts it if it ends. The queue is then empty, as after FLUSHALL. */
export async function keepPrivateServer(
  launch: Launch,
  parts: KeepParts,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const password = randomBytes(18).toString('base64url');
  for (let attempt = 1; ; attempt += 1) {
    const address = { port: await freePort(), password };
    try {
      const first = await start(launch, address, parts);
      const keeper = new Keeper(first, () => start(launch, address, parts), parts);
      return { url: urlOf(address, first), close: () => keeper.close() };
    } catch (error) {
      if (attempt === TRIES) throw error;
    }
  }
}

async function start(launch: Launch, address: ServerAddress, { clock, startMs }: KeepParts): Promise<Launched> {
  const server = await launch(address);
  const gone = server.ended.then((words) => Promise.reject(new Error(`It ended at once: ${words.trim()}`)));
  try {
    await Promise.race([awaitRedis(urlOf(address, server), clock, startMs), gone]);
    gone.catch(() => undefined);
    return server;
  } catch (error) {
    await end(server, clock);
    throw error;
  }
}

async function end(server: Launched, clock: Clock): Promise<void> {
  server.stop();
  if (await within(clock, STOP_MS, server.ended)) return;
  server.kill();
  await server.ended;
}

class Keeper {
  readonly #again: () => Promise<Launched>;
  readonly #parts: KeepParts;
  #server: Launched;
  #closing = false;
  #cancelPause: () => void = () => undefined;

  constructor(first: Launched, again: () => Promise<Launched>, parts: KeepParts) {
    this.#again = again;
    this.#parts = parts;
    this.#server = first;
    void this.#replaceAfter(first);
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#cancelPause();
    await end(this.#server, this.#parts.clock);
  }

  async #replaceAfter(server: Launched): Promise<void> {
    const words = await server.ended;
    if (this.#closing) return;
    this.#parts.log.error({ words: words.trim() }, 'private Redis ended; restarting');
    await this.#replace();
  }

  async #replace(): Promise<void> {
    const { clock, log } = this.#parts;
    try {
      this.#server = await this.#again();
      if (this.#closing) this.#server.stop();
      void this.#replaceAfter(this.#server);
    } catch (error) {
      if (this.#closing) return;
      log.error({ error: String(error) }, 'private Redis failed to start; retrying');
      this.#cancelPause = clock.at(clock.now() + PAUSE_MS, () => void this.#replace());
    }
  }
}

function urlOf({ port, password }: ServerAddress, { guarded }: Launched): string {
  return `redis://${guarded ? `:${password}@` : ''}127.0.0.1:${port}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
