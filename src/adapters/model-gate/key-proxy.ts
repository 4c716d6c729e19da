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
  /** The address of the model's API. */
  readonly upstream: URL;
  readonly listen: ListenOn;
  readonly clock: Clock;
  readonly log: Log;
  /** Judges request bodies; by default a thread. */
  readonly judge?: BodyJudge;
  /** Called once for each run when the model has answered it. */
  readonly onAnswer?: (run: string) => void;
  /** Called with the cost of each answer. */
  readonly onCost?: (run: string, costUsd: number) => void;
}

export type ListenOn =
  /** Unix sockets in this folder: they can be mounted into a sandbox without network. */
  | { readonly kind: 'sockets'; readonly folder: string }
  /** Ports on the loopback interface, for processes without a sandbox. */
  | { readonly kind: 'loopback' };

/** The kernel's limit for socket paths. */
const MAX_SOCKET_PATH = 107;

/** Logged refusals per run; an agent could fill the log with more. */
const LOGGED_REFUSALS = 20;

const UNBOUNDED: Allowance = { budgetUsd: null };

/** A proxy between agents and the model's API that keeps the credential here. Each run gets its own address and token. */
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

  /** Connections and request bytes held for all runs, now and at peak. */
  load() {
    return { connections: this.#pools.connections.level(), bytes: this.#pools.bytes.level() };
  }

  /** Closes the thread with the last server; it starts quickly again. */
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

/** Reports the first `times` calls and drops the rest. */
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
