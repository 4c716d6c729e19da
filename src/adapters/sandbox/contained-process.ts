import { constants } from 'node:os';
import { execa } from 'execa';
import type { SandboxEnd, SandboxedCommand, SandboxResult } from '../../ports/sandbox.js';
import { captureOutput } from './captured-output.js';
import { type Leash, type Limits, watchForEnd } from './leash.js';
import { sampleFamily } from './proc.js';

/** What is really executed for a command. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** File descriptors from 3 on: bytes the process reads, or a pipe it writes to. */
  readonly extraFiles?: readonly (Uint8Array | 'pipe')[];
}

export type Subprocess = ReturnType<typeof spawn>;

/** Runs one process to its end, whoever ends it, and then everything it has started. */
export async function runContained(
  command: SandboxedCommand,
  launch: Launch,
  hold: (subprocess: Subprocess) => Leash,
  limits: Limits,
): Promise<SandboxResult> {
  const startedAt = limits.clock.now();
  if (command.signal?.aborted === true) return { end: { kind: 'aborted' }, stdout: '', stderr: '', durationMs: 0 };
  const subprocess = spawn(command, launch);
  const { maxOutputBytes, headBytes, onLine } = command;
  const out = captureOutput(subprocess.stdout, maxOutputBytes, { onLine, headBytes });
  const err = captureOutput(subprocess.stderr, maxOutputBytes, { headBytes });
  const leash = hold(subprocess);
  const ended = watchForEnd(command, leash, limits);
  const { pid } = subprocess;
  if (pid !== undefined) command.onStart?.(() => sampleFamily(pid));
  const exit = await exitOf(subprocess);
  const reason = ended();
  await leash.reap();
  const [stdout, stderr] = await Promise.all([out.finish(), err.finish()]);
  const end = reason ?? endOf(exit, leash.wasExecuted(), stderr);
  return { end, stdout, stderr, durationMs: limits.clock.now() - startedAt };
}

function spawn(command: SandboxedCommand, { file, args, env, cwd, extraFiles = [] }: Launch) {
  const stdin = command.input === undefined ? ('ignore' as const) : new TextEncoder().encode(command.input);
  return execa(file, args, {
    env,
    extendEnv: false,
    ...(cwd === undefined ? {} : { cwd }),
    stdio: [stdin, 'pipe', 'pipe', ...extraFiles],
    // A session of its own: no terminal to talk to, and a Ctrl-C at ours does not end it behind our back.
    detached: true,
    // When to end it is for the leash alone to say.
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

function endOf({ code, signal, error }: Exit, wasExecuted: boolean, stderr: string): SandboxEnd {
  if (error !== null) return { kind: 'failed', why: error };
  // A shell, like bubblewrap, reports a signal as 128 plus its number.
  const number = (code ?? 0) - 128;
  const name = signal ?? Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  if (name !== undefined) return { kind: 'killed', signal: name };
  return wasExecuted ? { kind: 'exited', code: code ?? 0 } : { kind: 'failed', why: stderr.trim() };
}
