import type { IssueRef } from '../domain/issue/ids.js';
import type { AgentPhase } from '../domain/issue/phase.js';
import type { Instant } from '../domain/issue/instant.js';

export interface PhaseJob {
  readonly ref: IssueRef;
  readonly phase: AgentPhase;
}

export interface JobHandlers {
  /** Read this issue and decide what comes next. */
  wake(ref: IssueRef): Promise<void>;
  /** Run one agent phase. */
  phase(job: PhaseJob, signal: AbortSignal): Promise<void>;
}

/** Hints about which issues to read next. Losing them loses no work, because the sweep finds everything again. */
export interface Queue {
  /** At most one running and one waiting job per issue. A wake during a running job is not lost. */
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
