import type { IssueRef } from '../domain/issue/ids.js';
import type { AgentPhase } from '../domain/issue/phase.js';

/** What this host knows about a phase run whose end is not in the issue's state yet. */
export interface RunNote {
  readonly ref: IssueRef;
  readonly phase: AgentPhase;
  readonly phaseRun: string;
  /** The last known cost of its agents, at list prices. */
  readonly costUsd: number;
}

/** Notes about running phase runs, on disk, so that they survive the service. */
export interface RunNotes {
  /** Starts to record the cost of a run. */
  begin(run: Omit<RunNote, 'costUsd'>): Promise<void>;
  /** An agent of the run has cost this much more. */
  addCost(phaseRun: string, costUsd: number): Promise<void>;
  /** The run is over. If its cost is in the issue's state, the note is deleted; otherwise it becomes a leftover. */
  end(phaseRun: string, isCounted: boolean): Promise<void>;
  /** Notes of runs that are over, or whose service has died. */
  leftovers(): Promise<readonly RunNote[]>;
}
