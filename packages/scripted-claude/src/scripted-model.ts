import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from './clock.js';
import { Handler } from './handler.js';
import { createIds } from './protocol/ids.js';
import { RequestLog } from './request-log.js';
import { Playbook } from './script/playbook.js';
import type { Script } from './script/script.js';

export interface ScriptedModelOptions {
  /** A free port by default. */
  readonly port?: number;
  readonly host?: string;
  readonly scripts: readonly Script[];
  /** Ends stalls, hangs and drips; nothing here reads the time elsewhere. */
  readonly clock: Clock;
  /** API keys and OAuth tokens that are accepted; without it any request is. */
  readonly apiKeys?: readonly string[];
  /** Varies the ids. Give each model of one test its own when sessions outlive a model. */
  readonly seed?: string;
}

export interface ScriptedModel {
  /** What `ANTHROPIC_BASE_URL` has to be. */
  readonly url: string;
  readonly requests: RequestLog;
  /** Replaces all scripts; every conversation starts afresh. */
  setScripts(scripts: readonly Script[]): void;
  /** Ends every connection, held ones too. */
  close(): Promise<void>;
}

/** Starts an Anthropic Messages API on loopback that says what the scripts say. */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const { clock, host = '127.0.0.1', port = 0, apiKeys = null, seed = 'scripted-model' } = options;
  const log = new RequestLog();
  const active = new Set<Promise<void>>();
  const state: { playbook: Playbook; closed: Promise<void> | null } = {
    playbook: new Playbook(options.scripts),
    closed: null,
  };
  const handler = new Handler({
    clock,
    ids: createIds(seed),
    log,
    apiKeys,
    choose: async (request) => state.playbook.choose(request),
    isClosing: () => state.closed !== null,
  });
  const server = createServer((request, response) => {
    const handling = handler.handle(request, response).finally(() => active.delete(handling));
    active.add(handling);
  });
  // Connections end when a script, the client or `close` says so, never by a timer of Node's own.
  Object.assign(server, { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    requests: log,
    setScripts: (scripts) => {
      state.playbook = new Playbook(scripts);
    },
    close: async () => {
      state.closed ??= closeServer(server)
        .then(() => Promise.all(active))
        .then(() => log.close());
      return state.closed;
    },
  };
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  server.closeAllConnections();
  return closed;
}
