import type { Agent } from '../../../src/ports/agent.js';

/** An agent that waits at one phase until the test releases or stops it. */
export interface HeldAgent {
  readonly agent: (usual: Agent) => Agent;
  /** Resolves when it works on that phase. */
  readonly reached: Promise<void>;
  open(): void;
  isReached(): boolean;
  /** Whether it was asked to stop. */
  isStopped(): boolean;
}

export function agentHeldAt(phase: string): HeldAgent {
  const gate = { reached: () => {}, open: () => {}, isReached: false, stopped: false };
  const reached = new Promise<void>((resolve) => (gate.reached = resolve));
  const opened = new Promise<void>((resolve) => (gate.open = resolve));
  const agent = (usual: Agent): Agent => ({
    run: async (job) => {
      if (job.phase !== phase) return usual.run(job);
      gate.isReached = true;
      gate.reached();
      const stopped = new Promise<void>((resolve) => job.signal.addEventListener('abort', () => resolve()));
      await Promise.race([opened, stopped]);
      gate.stopped = job.signal.aborted;
      return usual.run(job);
    },
  });
  return { agent, reached, open: () => gate.open(), isReached: () => gate.isReached, isStopped: () => gate.stopped };
}
