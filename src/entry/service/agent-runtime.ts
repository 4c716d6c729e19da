import { cp, mkdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { ClaudeAgent } from '../../adapters/agent/claude-agent.js';
import { detectSandbox } from '../../adapters/sandbox/detect-sandbox.js';
import { KeyProxy } from '../../adapters/model-gate/key-proxy.js';
import { removeLeftoverSockets } from '../../adapters/model-gate/leftover-sockets.js';
import { createWorkspace } from '../../adapters/workspace/workspace.js';
import { createLeftovers } from '../../adapters/workspace/leftover-clones.js';
import { createRunNotes } from '../../adapters/workspace/run-notes.js';
import { isLoopback } from '../../config/github-urls.js';
import { parseRepoConfig } from '../../config/repo-config.js';
import type { ModelAccount } from '../../ports/model-account.js';
import type { Agent } from '../../ports/agent.js';
import type { GitHost } from '../../ports/git-host.js';
import type { Leftovers } from '../../ports/leftovers.js';
import type { RunNotes } from '../../ports/run-notes.js';
import type { Sandbox } from '../../ports/sandbox.js';
import type { Workspace } from '../../ports/workspace.js';
import { CommandFailure } from '../cli/command-failure.js';
import type { Parts, ServiceConfig } from './composition.js';
import type { CommitIdentity } from './connect.js';
import { startLeftoverSweep } from './leftover-sweep.js';

/** Where agents run: sandbox, clones, and access to the model. */
export interface AgentRuntime {
  readonly workspace: Workspace;
  readonly agent: Agent;
  readonly notes: RunNotes;
  readonly leftovers: Leftovers;
  readonly sandbox: Sandbox['name'];
  /** The guards that work here. */
  readonly guards: Sandbox['guards'];
  /** Why there is no sandbox; `null` when there is one. */
  readonly noSandboxBecause: string | null;
  close(): void;
}

interface AgentRuntimeParts extends Parts {
  readonly detected: RequiredSandbox;
  readonly gitHost: GitHost;
  readonly account: ModelAccount;
  readonly commitsBy: CommitIdentity;
}

const COMMAND_TIMEOUT_MS = 15 * 60_000;
const SETUP_TIMEOUT_MS = 15 * 60_000;
const MAX_BUNDLE_BYTES = 100 * 1024 * 1024;
/** How long a process gets to end before it is killed. */
const GRACE_MS = 3_000;

/** PATH of everything agents run: first the Node that runs us, which the service's PATH may lack. */
export const toolPath = (path: string): string => [dirname(process.execPath), path].join(delimiter);

export async function openAgentRuntime(config: ServiceConfig, parts: AgentRuntimeParts): Promise<AgentRuntime> {
  const { clock, log, redact, gitHost, account, commitsBy } = parts;
  const { folder } = config;
  const { sandbox, why } = parts.detected;
  const path = toolPath(config.path);
  const clones = {
    folder: join(folder, 'clones'),
    gitHost,
    sandbox,
    config: {
      path,
      identity: commitsBy,
      commandTimeoutMs: COMMAND_TIMEOUT_MS,
      setupTimeoutMs: SETUP_TIMEOUT_MS,
      maxBundleBytes: MAX_BUNDLE_BYTES,
    },
    log,
  };
  const workspace = createWorkspace({ ...clones, parseConfig: parseRepoConfig });
  const leftovers = createLeftovers({ ...clones, clock });
  const notes = createRunNotes({ folder: join(folder, 'runs'), log });
  const gate = new KeyProxy({
    credential: config.model.credential,
    upstream: config.model.url,
    listen: await modelGateAddress(folder, sandbox),
    clock,
    log,
    onAnswer: (run) => void account.recordAnswer(run),
    onCost: (run, costUsd) => void notes.addCost(run, costUsd),
  });
  const agent = new ClaudeAgent({
    sandbox,
    gate,
    clock,
    log,
    claude: config.claude,
    plugin: await installPlugin(config.product, folder),
    path,
    transcripts: { keep: config.transcripts ?? 'none', folder: join(folder, 'transcripts'), redact },
  });
  const close = startLeftoverSweep({ sandbox, clones: clones.folder, sockets: socketsIn(folder), clock, log });
  const { name, guards } = sandbox;
  return { workspace, agent, notes, leftovers, sandbox: name, guards, noSandboxBecause: why, close };
}

/** A sandbox, or the reason why there is none. */
export type RequiredSandbox = Awaited<ReturnType<typeof detectSandbox>>;

/** The best sandbox of this machine. Without one, only a GitHub that strangers cannot reach is served. */
export async function requireSandbox(
  { apiUrl, path, unsafeNoSandbox = false, sandboxLimits, cgroup }: ServiceConfig,
  { clock, log }: Parts,
): Promise<RequiredSandbox> {
  const resources = sandboxLimits === undefined ? {} : { resources: sandboxLimits };
  const detected = await detectSandbox({ path, clock, graceMs: GRACE_MS, cgroup, ...resources });
  const { why, cgroupProblem } = detected;
  if (cgroupProblem !== null) throw new CommandFailure(`SLUICE_CGROUP is not usable: ${cgroupProblem}`);
  if (why === null) return detected;
  if (!isLoopback(apiUrl) && !unsafeNoSandbox) {
    throw new CommandFailure(
      `there is no sandbox for agents here: ${why} Without one an issue’s author could run anything with your rights. ` +
        '`--unsafe-no-sandbox` goes on all the same.',
    );
  }
  log.warn({ why }, 'no sandbox: agents run with the rights of this process');
  return detected;
}

const socketsIn = (folder: string): string => join(folder, 's');

/** Unix sockets reach into a sandbox without a network; without a sandbox a port on loopback does. */
async function modelGateAddress(folder: string, sandbox: Sandbox) {
  if (sandbox.name === 'none') return { kind: 'loopback' } as const;
  const sockets = socketsIn(folder);
  await mkdir(sockets, { recursive: true });
  await removeLeftoverSockets(sockets);
  return { kind: 'sockets', folder: sockets } as const;
}

/** The skills alone, so that a sandbox shows nothing else of the product. */
async function installPlugin(product: string, folder: string): Promise<string> {
  const plugin = join(folder, 'plugin');
  for (const part of ['.claude-plugin', 'skills'])
    await cp(join(product, part), join(plugin, part), { recursive: true });
  return plugin;
}
