import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { claudeArgv } from '../src/adapters/agent/claude-argv.js';
import { ClaudeAgent } from '../src/adapters/agent/claude-agent.js';
import { claudeEnv } from '../src/adapters/agent/claude-env.js';
import { systemClock } from '../src/adapters/clock/system-clock.js';
import { detectSandbox } from '../src/adapters/sandbox/detect-sandbox.js';
import { KeyProxy } from '../src/adapters/model-gate/key-proxy.js';
import type { Agent, AgentJob } from '../src/ports/agent.js';
import { scratchClone } from '../test/support/agent/scratch-clone.js';
import { median, slopePerMinute } from './figures.js';

const AGENTS = 6;
const MINUTES = 10;
const START_ROUNDS = 7;
const SAMPLE_MS = 2000;
const PATH = process.env['PATH'] ?? '/usr/bin:/bin';
const CLAUDE = realpathSync('node_modules/.bin/claude');
const KEY = 'sk-ant-api03-bench';
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

const SCHEMA = {
  type: 'object',
  properties: { nonce: { type: 'string' }, summary: { type: 'string' } },
  required: ['nonce', 'summary'],
};
const MODEL = { id: 'claude-opus-5-5', fallback: null, windowTokens: 200_000 };
const WORK = 'Do the work.';

/** Cost of running agents: how much slower they start than by hand, and what they leave behind. */
export async function benchAgents(
  progress: (line: string) => void,
  { minutes = MINUTES }: { readonly minutes?: number | undefined } = {},
): Promise<Record<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'agents-'));
  const child = fork(fileURLToPath(new URL('./agents-model.js', import.meta.url)), { stdio: 'inherit' });
  try {
    const [url] = (await once(child, 'message')) as [string];
    const office = await openAgentBench(folder, url);
    const spawnOverhead = await measureStart(office, url, progress);
    const rssSlopeMbPerMin = await measureLoad(office, minutes, progress);
    return { spawnOverhead, rssSlopeMbPerMin, leftoverProcesses: leftoversIn(folder), agents: AGENTS };
  } finally {
    child.disconnect();
    await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
}

interface AgentBench {
  readonly agent: Agent;
  readonly folder: string;
  readonly plugin: string;
}

async function openAgentBench(folder: string, url: string): Promise<AgentBench> {
  const [plugin, sockets] = [join(folder, 'plugin'), join(folder, 's')];
  await mkdir(join(plugin, '.claude-plugin'), { recursive: true });
  await mkdir(sockets);
  await writeFile(join(plugin, '.claude-plugin/plugin.json'), '{ "name": "bench", "version": "1.0.0" }');
  const { sandbox } = await detectSandbox({ clock: systemClock, graceMs: 1000, path: PATH });
  const gate = new KeyProxy({
    credential: { kind: 'api-key', value: KEY },
    upstream: new URL(url),
    listen: sandbox.name === 'none' ? { kind: 'loopback' } : { kind: 'sockets', folder: sockets },
    clock: systemClock,
    log: QUIET,
  });
  const agent = new ClaudeAgent({ sandbox, gate, clock: systemClock, log: QUIET, claude: CLAUDE, plugin, path: PATH });
  return { agent, folder, plugin };
}

/** Runs one job and returns how long the agent took to start. */
async function work({ agent, folder }: AgentBench, prompt: string, name: string): Promise<number> {
  const clone = await scratchClone(folder);
  const up: number[] = [];
  const started = performance.now();
  const job: AgentJob = {
    phase: 'code',
    phaseRun: name,
    nonce: name,
    prompt: `${prompt}\n\nNonce: ${name}`,
    schema: SCHEMA,
    clone,
    model: MODEL,
    limits: { maxTurns: 50, budgetUsd: null, capMs: 10 * 60_000 },
    signal: new AbortController().signal,
    onActivity: ({ kind }) => void (kind === 'up' && up.push(performance.now() - started)),
  };
  const outcome = await agent.run(job);
  await clone.dispose();
  if (outcome.kind !== 'succeeded') throw new Error(`An agent did not succeed: ${JSON.stringify(outcome)}`);
  return up[0] ?? 0;
}

/** Starts the CLI by hand with the same arguments and a fresh home, until its first output. */
async function startByHand({ plugin, folder }: AgentBench, url: string): Promise<number> {
  const clone = await scratchClone(folder);
  await mkdir(join(clone.home, 'tmp'));
  const session = { id: crypto.randomUUID(), isResumed: false };
  const [, ...argv] = claudeArgv({
    claude: CLAUDE,
    plugin,
    session,
    settingSources: 'none',
    schema: SCHEMA,
    model: MODEL,
    maxTurns: 50,
    budgetUsd: null,
  });
  const access = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url };
  const started = performance.now();
  const program = spawn(CLAUDE, argv, { cwd: clone.path, env: claudeEnv({ home: clone.home, path: PATH }, access) });
  program.stdin.end(`${WORK} Be quick.\n\nNonce: by-hand`);
  await once(program.stdout, 'data');
  const ms = performance.now() - started;
  program.stdout.resume();
  await once(program, 'exit');
  await clone.dispose();
  return ms;
}

async function measureStart(office: AgentBench, url: string, progress: (line: string) => void): Promise<number> {
  const [ours, byHand]: [number[], number[]] = [[], []];
  for (let round = 0; round < START_ROUNDS; round += 1) {
    byHand.push(await startByHand(office, url));
    ours.push(await work(office, `${WORK} Be quick.`, `start-${round}`));
  }
  const [mine, bare] = [median(ours), median(byHand)];
  progress(`up after ${Math.round(mine)} ms, by hand after ${Math.round(bare)} ms`);
  return Number((mine / bare).toFixed(2));
}

/** Runs six agents at once for some minutes; returns how fast our memory grows after warm-up. */
async function measureLoad(office: AgentBench, minutes: number, progress: (line: string) => void): Promise<number> {
  const started = performance.now();
  const until = started + minutes * 60_000;
  const samples: { readonly atMs: number; readonly value: number }[] = [];
  const sampling = setInterval(() => {
    samples.push({ atMs: performance.now() - started, value: process.memoryUsage().rss / 2 ** 20 });
  }, SAMPLE_MS);
  const counted = { jobs: 0 };
  const worker = async (_: unknown, seat: number): Promise<void> => {
    for (let job = 0; performance.now() < until; job += 1) {
      await work(office, WORK, `job-${seat}-${job}`);
      counted.jobs += 1;
      if (counted.jobs % 20 === 0) {
        progress(`${counted.jobs} jobs, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB`);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: AGENTS }, worker));
  } finally {
    clearInterval(sampling);
  }
  progress(`${counted.jobs} jobs by ${AGENTS} agents at once in ${minutes} minutes`);
  const settled = samples.filter(({ atMs }) => atMs > (until - started) / 3);
  return Number(slopePerMinute(settled).toFixed(2));
}

/** Processes that still run in this folder or were started with it. */
function leftoversIn(folder: string): number {
  const read = (look: () => string): string => {
    try {
      return look();
    } catch {
      return '';
    }
  };
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.filter((pid) =>
    [read(() => readlinkSync(`/proc/${pid}/cwd`)), read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))].some(
      (text) => text.includes(folder),
    ),
  ).length;
}
