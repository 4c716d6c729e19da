import { randomUUID } from 'node:crypto';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ClaudeAgent } from '../adapters/agent/claude-agent.js';
import { createGitHost } from '../adapters/git/git-host.js';
import { createAppTokens } from '../adapters/github/app-tokens.js';
import { createGitHub } from '../adapters/github/github.js';
import { openBullmqQueue } from '../adapters/queue/bullmq-queue.js';
import { openRedis, type RedisServer } from '../adapters/queue/redis-server.js';
import { detectSandbox } from '../adapters/sandbox/detect-sandbox.js';
import { KeyProxy } from '../adapters/sandbox/key-proxy.js';
import type { ModelCredential } from '../adapters/sandbox/run-token.js';
import { createStateStore } from '../adapters/state/state-ref.js';
import type { SigningKey } from '../adapters/state/signature.js';
import { createWorkspace } from '../adapters/workspace/clones.js';
import { parseRepoConfig } from '../config/repo-config.js';
import { formatRepo, type Oid, type RepoRef } from '../domain/ids.js';
import { DEFAULT_LIMITS, type Policy } from '../domain/policy.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Sandbox } from '../ports/sandbox.js';
import { drive } from '../usecases/drive.js';
import type { Engine } from '../usecases/engine.js';
import { runPhase } from '../usecases/run-phase.js';

/** Everything that differs between a demo on loopback and a service for github.com. */
export interface ServiceConfig {
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  /** Where repositories are cloned from, e.g. `https://github.com`. */
  readonly gitUrl: string;
  readonly app: { readonly id: number; readonly privateKey: string };
  readonly signingKey: SigningKey;
  readonly model: { readonly url: URL; readonly credential: ModelCredential };
  readonly redisUrl: string | undefined;
  /** Mirrors, clones, sockets: may be deleted while nothing runs. */
  readonly folder: string;
  /** The `claude` program itself. */
  readonly claude: string;
  /** Where `.claude-plugin` and `skills` are. */
  readonly product: string;
  readonly path: string;
  readonly limits?: Partial<Omit<Policy, 'identity' | 'holds'>>;
}

/** A running engine with its workers. */
export interface Service {
  readonly engine: Engine;
  readonly redis: RedisServer['kind'];
  readonly sandbox: Sandbox['name'];
  /** Tokens minted so far. */
  tokenMints(): number;
  close(): Promise<void>;
}

const COMMAND_TIMEOUT_MS = 15 * 60_000;
const SETUP_TIMEOUT_MS = 15 * 60_000;
const GIT_DEADLINE_MS = 5 * 60_000;
const GRACE_MS = 5_000;
const MAX_BUNDLE_BYTES = 100 * 1024 * 1024;
const IDENTITY = { name: 'Sluice', email: 'sluice@users.noreply.github.com' };

/** Puts the parts together. Nothing below this line knows which GitHub or which model it talks to. */
export async function compose(
  config: ServiceConfig,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<Service> {
  const { apiUrl, graphqlUrl, folder, path } = config;
  const tokens = createAppTokens({ apiUrl, appId: config.app.id, privateKey: config.app.privateKey, clock, log });
  const identity = await tokens.identity();
  const github = createGitHub({ apiUrl, graphqlUrl, tokens, identity, clock, log });
  const gitHost = createGitHost({
    folder: join(folder, 'mirrors'),
    remoteUrl: (repo) => `${config.gitUrl}/${formatRepo(repo)}.git`,
    token: async (repo) => (await tokens.tokenFor(repo)).text,
    identity: IDENTITY,
    clock,
    log,
    deadlineMs: GIT_DEADLINE_MS,
  });
  const { sandbox, why } = await detectSandbox({ path, clock, graceMs: GRACE_MS });
  if (why !== null) log.warn({ why }, 'there is no sandbox: agents run with the rights of this process');
  const instance = `${process.pid}-${randomUUID().slice(0, 8)}`;
  const states = createStateStore({
    gitHost,
    signing: { keys: { current: config.signingKey }, acceptUnsigned: false },
    owner: instance,
    log,
  });
  const redis = await openRedis({ url: config.redisUrl, path, clock, log });
  const queue = await openBullmqQueue({ url: redis.url, clock, log });
  const engine: Engine = {
    github,
    gitHost,
    states,
    workspace: createWorkspace({
      folder: join(folder, 'clones'),
      gitHost,
      sandbox,
      parseConfig: parseRepoConfig,
      config: {
        path,
        identity: IDENTITY,
        commandTimeoutMs: COMMAND_TIMEOUT_MS,
        setupTimeoutMs: SETUP_TIMEOUT_MS,
        maxBundleBytes: MAX_BUNDLE_BYTES,
      },
      log,
    }),
    agent: new ClaudeAgent({
      sandbox,
      gate: new KeyProxy({
        credential: config.model.credential,
        upstream: config.model.url,
        listen: await doorway(folder, sandbox),
        clock,
        log,
      }),
      clock,
      log,
      claude: config.claude,
      plugin: await installPlugin(config.product, folder),
      path,
    }),
    queue,
    clock,
    log,
    instance,
    newId: randomUUID,
    testCommand: async (repo, base) => testCommand(await readConfig(repo, base)),
    policyFor: () => ({ ...DEFAULT_LIMITS, ...config.limits, identity, holds: [] }),
    hints: new Map(),
  };
  await queue.work({ wake: (ref) => drive(engine, ref), phase: (job, signal) => runPhase(engine, job, signal) });
  return {
    engine,
    redis: redis.kind,
    sandbox: sandbox.name,
    tokenMints: () => tokens.minted(),
    close: async () => {
      await queue.close();
      await redis.close();
    },
  };

  async function readConfig(repo: RepoRef, base: Oid): Promise<string> {
    return (await gitHost.readFile(repo, base, '.github/sluice.yml')) ?? '';
  }
}

function testCommand(text: string): string | null {
  const reading = parseRepoConfig(text);
  return reading.kind === 'valid' ? (reading.config.test ?? null) : null;
}

/** Unix sockets reach into a sandbox without a network; without a sandbox a port on loopback does. */
async function doorway(folder: string, sandbox: Sandbox) {
  if (sandbox.name === 'none') return { kind: 'loopback' } as const;
  const sockets = join(folder, 's');
  await mkdir(sockets, { recursive: true });
  return { kind: 'sockets', folder: sockets } as const;
}

/** The skills alone, so that a sandbox shows nothing else of the product. */
async function installPlugin(product: string, folder: string): Promise<string> {
  const plugin = join(folder, 'plugin');
  for (const part of ['.claude-plugin', 'skills'])
    await cp(join(product, part), join(plugin, part), { recursive: true });
  return plugin;
}
