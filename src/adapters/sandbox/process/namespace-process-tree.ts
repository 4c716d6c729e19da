import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { captureOutput, type CapturedOutput } from './capture-output.js';
import type { Subprocess } from './run-contained.js';
import type { ProcessTree } from './process-tree.js';
import { childrenOf, isAlive, liveProcess, type ProcessId, signalProcess } from './proc.js';

/** What bubblewrap tells: first the namespace's first process by its number on the host, in the end the command's exit code. */
const statusLine = z.object({ 'child-pid': z.number().optional(), 'exit-code': z.number().optional() });

/** Holds processes by their PID namespace: when its first one dies, the kernel ends all of them. */
export class NamespaceProcessTree implements ProcessTree {
  readonly #subprocess: Subprocess;
  readonly #status: CapturedOutput;
  /** `null` when bubblewrap ended before there was one. */
  readonly #first: Promise<ProcessId | null>;
  #executed = false;

  constructor(subprocess: Subprocess, statusFd: number) {
    this.#subprocess = subprocess;
    const pipe = subprocess.stdio[statusFd];
    const status = pipe instanceof Readable ? pipe : null;
    const { promise, resolve } = withResolver<ProcessId | null>();
    this.#first = promise;
    this.#status = captureOutput(status, 0, {
      onLine: (line) => {
        const parsed = statusLine.parse(JSON.parse(line));
        if (parsed['child-pid'] !== undefined) resolve(liveProcess(parsed['child-pid']));
        // Only said when the command could be executed.
        if (parsed['exit-code'] !== undefined) this.#executed = true;
      },
    });
    if (status === null) resolve(null);
    else status.once('close', () => resolve(null));
  }

  async terminate(): Promise<void> {
    // Asking bubblewrap itself would end the command without notice.
    const first = await this.#first;
    const children = first === null ? [] : childrenOf(first.pid);
    if (children.length === 0) await this.kill();
    for (const pid of children) signalProcess(pid, 'SIGTERM');
  }

  async kill(): Promise<void> {
    const first = await this.#first;
    if (first === null) this.#subprocess.kill('SIGKILL');
    else if (isAlive(first)) signalProcess(first.pid, 'SIGKILL');
  }

  async reap(): Promise<void> {
    await this.#status.finish();
    // The first one dies with bubblewrap, and counts as dead only when all others in the namespace are.
    while (await this.#isPeopled()) await nextTurn();
  }

  wasExecuted(): boolean {
    return this.#executed;
  }

  async #isPeopled(): Promise<boolean> {
    const first = await this.#first;
    return first !== null && isAlive(first);
  }
}

function withResolver<T>(): { promise: Promise<T>; resolve: (value: T | Promise<T>) => void } {
  const resolver: { resolve: (value: T | Promise<T>) => void } = { resolve: () => undefined };
  const promise = new Promise<T>((resolve) => {
    resolver.resolve = resolve;
  });
  return { promise, resolve: (value) => resolver.resolve(value) };
}
