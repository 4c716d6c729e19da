import { constants, setPriority } from 'node:os';
import { execa } from 'execa';
import type { SandboxEnd, SandboxedCommand, SandboxResult } from '../../../ports/sandbox.js';
import { captureOutput } from './capture-output.js';
import { DEFAULT_SANDBOX_LIMITS, type SandboxLimits } from '../../../domain/limits/sandbox-limits.js';
import { guardProgram } from '../limits/guard-program.js';
import { type ProcessTree, type ProcessLimits, watchForEnd } from './process-tree.js';
import { sampleFamily } from './process-table.js';
import type { ResourceWatch } from '../limits/resource-watch.js';
import type { RunGroup } from '../limits/run-groups.js';

/** What is really executed for a command. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** File descriptors from 3 on: bytes the process reads, or a pipe it writes to. */
  readonly extraFiles?: readonly (Uint8Array | 'pipe')[];
}

/** The limits of every command of a sandbox. */
export interface ContainedLimits extends ProcessLimits {
  readonly watch: ResourceWatch;
  /** The group its processes enter, where there are groups. */
  readonly group: RunGroup | null;
}

export type Subprocess = ReturnType<typeof spawn>;

/** Runs one process until it ends or is ended, and then ends everything it has started. */
export async function runContained(
  command: SandboxedCommand,
  launch: Launch,
  attachTree: (subprocess: Subprocess) => ProcessTree,
  limits: ContainedLimits,
): Promise<SandboxResult> {
  const startedAt = limits.clock.now();
  if (command.signal?.aborted === true) return { end: { kind: 'aborted' }, stdout: '', stderr: '', durationMs: 0 };
  const { resources = DEFAULT_SANDBOX_LIMITS, group, watch } = limits;
  const subprocess = spawn(command, launch, resources, group);
  const { maxOutputBytes, headBytes, onLine } = command;
  const out = captureOutput(subprocess.stdout, maxOutputBytes, { onLine, headBytes });
  const err = captureOutput(subprocess.stderr, maxOutputBytes, { headBytes });
  const tree = attachTree(subprocess);
  const ending = watchForEnd(command, tree, limits);
  const { pid } = subprocess;
  if (pid !== undefined) command.onStart?.(() => sampleFamily(pid));
  if (pid !== undefined) letOthersGoFirst(pid);
  const order = pid === undefined ? null : watchOrder(command, pid, resources);
  const unwatch = order === null ? null : watch.watch(order, (excess) => ending.exceeded(excess));
  const exit = await exitOf(subprocess);
  const unwatched = unwatch?.();
  // The watch may have killed it; wait for its reason.
  if (exit.signal === 'SIGKILL') await unwatched;
  const reason = ending.over();
  await tree.reap();
  const [stdout, stderr] = await Promise.all([out.finish(), err.finish()]);
  const excess = reason === null ? ((await group?.excess()) ?? null) : null;
  const own = endOf(exit, tree.wasExecuted(), stderr, resources);
  const end = reason ?? (excess === null ? own : { kind: 'limited' as const, excess });
  return { end, stdout, stderr, durationMs: limits.clock.now() - startedAt };
}

/** Lowers the priority, so that a flood of processes cannot keep the service from ending it. Children inherit this. */
function letOthersGoFirst(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already.
  }
}

function watchOrder({ mounts, disk = 'total' }: SandboxedCommand, root: number, limits: SandboxLimits) {
  const folders = mounts.filter(({ access }) => access === 'write').map(({ path }) => path);
  return { root, folders, mode: disk, limits };
}

function spawn(command: SandboxedCommand, launch: Launch, resources: SandboxLimits, group: RunGroup | null) {
  const { env, cwd, extraFiles = [] } = launch;
  const { file, args } = guardProgram(launch.file, launch.args, resources, group?.path ?? null);
  const stdin = command.input === undefined ? ('ignore' as const) : new TextEncoder().encode(command.input);
  return execa(file, args, {
    env,
    extendEnv: false,
    ...(cwd === undefined ? {} : { cwd }),
    stdio: [stdin, 'pipe', 'pipe', ...extraFiles],
    // A session of its own: no terminal to talk to, and a Ctrl-C at ours does not end it behind our back.
    detached: true,
    // Only the process tree decides when to end it.
    forceKillAfterDelay: false,
    cleanup: false,
    buffer: false,
    reject: false,
  });
}

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** It could not even be spawned. */
  readonly error: string | null;
}

/** The end of the main process. Others may still hold its output open, so that is not waited for. */
async function exitOf(subprocess: Subprocess): Promise<Exit> {
  const exited = new Promise<Exit>((resolve) => {
    subprocess.once('exit', (code, signal) => resolve({ code, signal, error: null }));
  });
  const notSpawned = subprocess.then(({ exitCode, signal, originalMessage }) => ({
    code: exitCode ?? null,
    signal: signal ?? null,
    error: exitCode === undefined && signal === undefined ? (originalMessage ?? 'It could not be started.') : null,
  }));
  return Promise.race([exited, notSpawned]);
}

function endOf(
  { code, signal, error }: Exit,
  wasExecuted: boolean,
  stderr: string,
  { fileMb }: Pick<SandboxLimits, 'fileMb'>,
): SandboxEnd {
  if (error !== null) return { kind: 'failed', why: error };
  // A shell, like bubblewrap, reports a signal as 128 plus its number.
  const number = (code ?? 0) - 128;
  const name = signal ?? Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  if (name === 'SIGXFSZ') return { kind: 'limited', excess: { limit: 'file-size', used: fileMb, allowed: fileMb } };
  if (name !== undefined) return { kind: 'killed', signal: name };
  return wasExecuted ? { kind: 'exited', code: code ?? 0 } : { kind: 'failed', why: stderr.trim() };
}
