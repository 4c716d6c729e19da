import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Allowance, ModelGate, ModelPass } from '../../ports/model-gate.js';
import { LINE, openPools } from './requests/gate-limits.js';
import { type BodyJudge, JudgeThread } from './judge/judge-thread.js';
import { closeGateServer, createGateServer } from './requests/gate-server.js';
import { ModelLedger } from './usage/model-ledger.js';
import { RequestQueue } from './requests/request-queue.js';
import { RunMoney } from './usage/run-money.js';
import { credentialEnv, type ModelCredential, newRunToken } from './run-token.js';

export interface KeyProxyOptions {
  readonly credential: ModelCredential;
  /** Where the model's API is. */
  readonly upstream: URL;
  readonly listen: ListenOn;
  readonly clock: Clock;
  readonly log: Log;
  /** Who looks at what runs send; by default a thread of its own. */
  readonly judge?: BodyJudge;
  /** Told once of each run that the model has answered. */
  readonly onAnswer?: (run: string) => void;
  /** Told of each answer of a run what it cost. */
  readonly onCost?: (run: string, costUsd: number) => void;
}

export type ListenOn =
  /** Unix sockets in this folder: they reach into a sandbox that has no network. */
  | { readonly kind: 'sockets'; readonly folder: string }
  /** Ports on the loopback interface, for processes without a sandbox. */
  | { readonly kind: 'loopback' };

/** Longer names are cut off by the kernel. */
const MAX_SOCKET_PATH = 107;

/** More of one run say nothing new, and an agent could fill the log with them. */
const LOGGED_REFUSALS = 20;

const UNBOUNDED: Allowance = { budgetUsd: null };

/** Stands between agents and the model's API, so that the credential stays here: each run gets a door and a token of its own. */
export class KeyProxy implements ModelGate {
  readonly #options: KeyProxyOptions;
  readonly #pools = openPools();
  readonly #judge: BodyJudge;
  #openGates = 0;

  constructor(options: KeyProxyOptions) {
    this.#options = options;
    this.#judge = options.judge ?? new JudgeThread();
  }

  async admit(run: string, { budgetUsd }: Allowance = UNBOUNDED): Promise<ModelPass> {
    const { credential, upstream, clock, log, onAnswer, onCost } = this.#options;
    const unpriced = 'model price unknown; counted at the highest price';
    const ledger = new ModelLedger(
      (model) => log.warn({ run, model }, unpriced),
      (costUsd) => onCost?.(run, costUsd),
    );
    const token = newRunToken(credential.kind);
    const server = createGateServer({
      token,
      upstream: { url: upstream, credential },
      ledger,
      money: new RunMoney(budgetUsd, ledger),
      line: new RequestQueue(LINE),
      pools: this.#pools,
      judge: this.#judge,
      clock,
      refusals: { times: 0 },
      onAnswer: once(() => onAnswer?.(run)),
      onRefusal: atMost(LOGGED_REFUSALS, (why) => log.warn({ run, why }, 'model request refused')),
    });
    const address = await this.#listen(server);
    this.#openGates += 1;
    return {
      env: { ...credentialEnv(token), ...address.env },
      mounts: address.mounts,
      usage: () => ledger.usage(),
      trouble: () => ledger.trouble(),
      close: () => this.#close(server),
    };
  }

  /** How many connections and bytes of requests are held for all runs, now and at most so far. */
  load() {
    return { connections: this.#pools.connections.level(), bytes: this.#pools.bytes.level() };
  }

  /** With the last door the thread goes, too: it is quickly there again. */
  async #close(server: Server): Promise<void> {
    if (!server.listening) return;
    await closeGateServer(server);
    this.#openGates -= 1;
    if (this.#openGates === 0) await this.#judge.close();
  }

  async #listen(server: Server): Promise<Pick<ModelPass, 'env' | 'mounts'>> {
    const { listen } = this.#options;
    if (listen.kind === 'loopback') {
      await startListening(server, { host: '127.0.0.1', port: 0 });
      const { port } = server.address() as AddressInfo;
      return { env: { ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` }, mounts: [] };
    }
    const path = join(listen.folder, `${randomBytes(6).toString('hex')}.sock`);
    if (path.length > MAX_SOCKET_PATH) {
      throw new Error(`${path} is too long for a socket (${MAX_SOCKET_PATH} at most); choose a shorter folder.`);
    }
    await startListening(server, { path });
    const env = { ANTHROPIC_UNIX_SOCKET: path, ANTHROPIC_BASE_URL: 'http://localhost' };
    return { env, mounts: [{ path, access: 'read' }] };
  }
}

/** Tells so many of them, and leaves out the rest. */
function atMost(times: number, report: (what: string) => void): (what: string) => void {
  const count = { times: 0 };
  return (what) => {
    count.times += 1;
    if (count.times <= times) report(what);
  };
}

function once(task: () => void): () => void {
  const state = { done: false };
  return () => {
    if (!state.done) task();
    state.done = true;
  };
}

async function startListening(server: Server, where: { path: string } | { host: string; port: number }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, resolve);
  });
}
