import type { Excess, SandboxLimits } from '../../../domain/limits/sandbox-limits.js';
import type { Clock } from '../../../ports/clock.js';
import type { SandboxEnd, SandboxedCommand } from '../../../ports/sandbox.js';

/** The processes a sandbox started. */
export interface ProcessTree {
  /** Asks the main process to end. */
  terminate(): Promise<void>;
  /** Ends everything now. */
  kill(): Promise<void>;
  /** The main process has ended: ends the rest, and settles when nothing is left. */
  reap(): Promise<void>;
  /** After `reap`: whether the command itself was executed. */
  wasExecuted(): boolean;
}

export interface ProcessLimits {
  readonly clock: Clock;
  /** How long a process gets between the request to end and the kill. */
  readonly graceMs: number;
  /** What commands may take of the machine; without, the usual. */
  readonly resources?: SandboxLimits;
}

/** What can end a process before it ends by itself. */
export interface EndWatch {
  /** It takes too much and is ended at once, before it gets worse. */
  exceeded(excess: Excess): void;
  /** Call this when it has ended. Returns the first reason, if any. */
  over(): SandboxEnd | null;
}

/** Ends the process at its deadline, on its signal, or for what it takes. */
export function watchForEnd(
  { timeoutMs, signal }: Pick<SandboxedCommand, 'timeoutMs' | 'signal'>,
  tree: ProcessTree,
  { clock, graceMs }: ProcessLimits,
): EndWatch {
  const state: { reason: SandboxEnd | null; ended: boolean } = { reason: null, ended: false };
  const cancels: (() => void)[] = [];
  const endFor = (reason: SandboxEnd): void => {
    if (state.reason !== null || state.ended) return;
    state.reason = reason;
    void tree.terminate();
    cancels.push(clock.at(clock.now() + graceMs, () => void tree.kill()));
  };
  const onAbort = (): void => endFor({ kind: 'aborted' });
  signal?.addEventListener('abort', onAbort, { once: true });
  cancels.push(() => signal?.removeEventListener('abort', onAbort));
  cancels.push(clock.at(clock.now() + timeoutMs, () => endFor({ kind: 'timed-out' })));
  return {
    exceeded: (excess) => {
      if (state.ended) return;
      // A process that takes too much during its grace period gets no more grace.
      state.reason ??= { kind: 'limited', excess };
      void tree.kill();
    },
    over: () => {
      state.ended = true;
      for (const cancel of cancels) cancel();
      return state.reason;
    },
  };
}
