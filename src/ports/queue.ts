import type { IssueRef } from '../domain/issue/ids.js';
import type { AgentPhase } from '../domain/issue/phase.js';
import type { Instant } from '../domain/issue/instant.js';

export interface PhaseJob {
  readonly ref: IssueRef;
  readonly phase: AgentPhase;
}

export interface JobHandlers {
  /** Look at this issue. */
  wake(ref: IssueRef): Promise<void>;
  /** Run one agent phase. */
  phase(job: PhaseJob, signal: AbortSignal): Promise<void>;
}

/** Hints about what to look at next. Losing all of it loses no work: the sweep finds everything again. */
export interface Queue {
  /** At most one running and one waiting per issue; one that comes while another runs is not lost. */
  wake(ref: IssueRef): Promise<void>;
  startPhase(job: PhaseJob): Promise<void>;
  /** Wakes the issue when the clock reaches `at`; an earlier time already set stays. */
  wakeAt(ref: IssueRef, at: Instant): Promise<void>;
  /** Starts taking jobs. */
  work(handlers: JobHandlers): Promise<void>;
  /** Resolves when nothing waits and nothing runs (timers apart). */
  idle(): Promise<void>;
  close(): Promise<void>;
}
