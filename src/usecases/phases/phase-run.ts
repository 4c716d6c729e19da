import type { Action } from '../../domain/action/action.js';
import type { AgentOutcome } from '../../domain/agent/outcome.js';
import type { Oid } from '../../domain/issue/ids.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { Clone } from '../../ports/workspace.js';
import type { Engine } from '../engine.js';

export type RunAction = Extract<Action, { kind: 'run' }>;

/** Everything one phase run works with. */
export interface PhaseRun {
  readonly engine: Engine;
  readonly snapshot: IssueSnapshot;
  readonly action: RunAction;
  readonly phaseRun: string;
  readonly signal: AbortSignal;
  /** Whether somebody else works on this issue now. */
  readonly isLeaseLost: () => boolean;
  /** How the agents of this phase run ended, in order. Their cost counts in any case. */
  readonly outcomes: AgentOutcome[];
  /** Commits of its agents, newest last. They are kept in any case. */
  readonly commits: Oid[];
}

/** Opens a clone at a commit, lets `task` use it, and removes it whatever happens. */
export async function withClone<T>(
  run: PhaseRun,
  name: string,
  at: Oid,
  task: (clone: Clone) => Promise<T>,
): Promise<T> {
  const { engine, snapshot, phaseRun, signal } = run;
  const clone = await engine.workspace.open({
    ref: snapshot.ref,
    phaseRun: `${phaseRun}-${name}`,
    at,
    base: snapshot.base.head,
    signal,
  });
  try {
    return await task(clone);
  } finally {
    await clone.dispose();
  }
}
