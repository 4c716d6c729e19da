import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import type { Checkout } from './checkout.js';

/** Calls `task` after so many real milliseconds; the returned function cancels it. Commands live in real time. */
export type Timer = (ms: number, task: () => void) => () => void;

export type JobEnding =
  | { readonly kind: 'exited'; readonly code: number; readonly output: string }
  /** Ended by a signal that we did not send. */
  | { readonly kind: 'killed'; readonly signal: string; readonly output: string }
  | { readonly kind: 'timed-out'; readonly output: string }
  /** CI was closed. */
  | { readonly kind: 'stopped' };

export interface JobCommand {
  readonly command: string;
  readonly timeoutMs: number;
}

const MAX_OUTPUT_BYTES = 60_000;

/** Runs a job's command in its checkout. When it ends, by itself or not, nothing it started in its group is left. */
export async function runJob(
  { command, timeoutMs }: JobCommand,
  checkout: Checkout,
  timer: Timer,
  signal: AbortSignal,
): Promise<JobEnding> {
  // Output goes to a file: a process that left the group cannot keep us waiting at a pipe.
  const log = await open(checkout.log, 'w+');
  try {
    const ending = await endOf(command, checkout, log.fd, { timeoutMs, timer, signal });
    return ending.kind === 'stopped' ? ending : { ...ending, output: await tailOf(log) };
  } finally {
    await log.close();
  }
}

type BareEnding =
  Exclude<JobEnding, { kind: 'stopped' }> extends infer E ? (E extends JobEnding ? Omit<E, 'output'> : never) : never;

function endOf(
  command: string,
  checkout: Checkout,
  output: number,
  { timeoutMs, timer, signal }: { timeoutMs: number; timer: Timer; signal: AbortSignal },
): Promise<BareEnding | { readonly kind: 'stopped' }> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve({ kind: 'stopped' });
    const child = spawn('sh', ['-c', command], {
      cwd: checkout.source,
      env: environment(checkout),
      stdio: ['ignore', output, output],
      detached: true,
    });
    let cause: 'timed-out' | 'stopped' | null = null;
    const end = (why: 'timed-out' | 'stopped'): void => {
      cause ??= why;
      killGroup(child.pid);
    };
    const stop = (): void => end('stopped');
    const cancelTimer = timer(timeoutMs, () => end('timed-out'));
    signal.addEventListener('abort', stop, { once: true });
    const finish = (): void => {
      cancelTimer();
      signal.removeEventListener('abort', stop);
      killGroup(child.pid);
    };
    child.once('error', (error) => {
      finish();
      reject(error);
    });
    child.once('exit', (code, killedBy) => {
      finish();
      if (cause !== null) resolve({ kind: cause });
      else resolve(code === null ? { kind: 'killed', signal: killedBy ?? 'a signal' } : { kind: 'exited', code });
    });
  });
}

function environment(checkout: Checkout): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: checkout.home,
    CI: 'true',
    LANG: 'C.UTF-8',
  };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // No process of the group is left, as wanted.
  }
}

async function tailOf(log: Awaited<ReturnType<typeof open>>): Promise<string> {
  const { size } = await log.stat();
  const length = Math.min(size, MAX_OUTPUT_BYTES);
  const { buffer } = await log.read(Buffer.alloc(length), 0, length, size - length);
  return `${size > length ? '…' : ''}${buffer.toString('utf8')}`;
}
