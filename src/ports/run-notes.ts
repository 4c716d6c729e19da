import type { IssueRef } from '../domain/issue/ids.js';
import type { AgentPhase } from '../domain/issue/phase.js';

/** What this host knows of a phase run whose end nobody has written into the issue's state yet. */
export interface RunNote {
  readonly ref: IssueRef;
  readonly phase: AgentPhase;
  readonly phaseRun: string;
  /** What its agents had cost when it was last heard of, at list prices. */
  readonly costUsd: number;
}

/** Notes about phase runs under way, kept where they outlive the service. */
export interface RunNotes {
  /** From here on what the run costs is kept. */
  begin(run: Omit<RunNote, 'costUsd'>): Promise<void>;
  /** An agent of the run has cost this much more. */
  addCost(phaseRun: string, costUsd: number): Promise<void>;
  /** The run is over. When its cost is in the issue's state the note goes; otherwise it is a leftover from now on. */
  end(phaseRun: string, isCounted: boolean): Promise<void>;
  /** Notes of runs that are over, or whose service is no more. */
  leftovers(): Promise<readonly RunNote[]>;
}
