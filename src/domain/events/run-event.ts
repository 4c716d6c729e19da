import type { Effect, WaitReason } from '../action/action.js';
import type { HaltCode } from '../issue/halt-codes.js';
import type { IssueRef, Oid } from '../issue/ids.js';
import type { AgentPhase, Phase } from '../issue/phase.js';
import type { RunSummary } from '../agent/run-summary.js';
import type { FixRequest, Halt } from '../state/state.js';
import type { Instant } from '../issue/instant.js';

/** The fields of every event. */
export interface EventFrame {
  readonly at: Instant;
  readonly issue: IssueRef;
  /** Which drive of the issue it belongs to. */
  readonly run: string | null;
  readonly phase: Phase | null;
  readonly because: string;
}

/** How a phase run ended. */
export const PHASE_ENDS = ['done', 'failed', 'partial', 'needs-human', 'never-ran', 'stopped', 'lost'] as const;
export type PhaseEnd =
  /** Its evidence is there. */
  | 'done'
  /** The attempt counts. The next one gets the reason. */
  | 'failed'
  /** A part of the work is done; the next run continues. */
  | 'partial'
  /** Only a person can decide what happens next. */
  | 'needs-human'
  /** It could not start, so the attempt does not count. */
  | 'never-ran'
  /** A person or the shutdown of the service ended it. */
  | 'stopped'
  /** Somebody else took the issue over. */
  | 'lost';

/** Something that happened to a run. Recorded once and never changed. For people and statistics; no decision depends on it. */
export type RunEvent = EventFrame &
  (
    | { readonly kind: 'run-started'; readonly by: string }
    /** A phase waits for a free worker. */
    | { readonly kind: 'phase-queued'; readonly attempt: number }
    | { readonly kind: 'phase-started'; readonly phaseRun: string; readonly attempt: number; readonly owner: string }
    | {
        readonly kind: 'phase-ended';
        readonly phaseRun: string;
        readonly end: PhaseEnd;
        readonly ms: number | null;
        readonly costUsd: number | null;
        readonly attempt: number | null;
        /** Of the agent's run, where there was one. */
        readonly record: RunSummary | null;
      }
    /** Nothing to do until then, or until something happens. Recorded when the reason changes. */
    | { readonly kind: 'waiting'; readonly on: WaitReason; readonly until: Instant | null }
    /** Something was written to GitHub. */
    | { readonly kind: 'effect'; readonly effect: Effect['kind'] }
    /** The code has to be worked on again. */
    | { readonly kind: 'fix-requested'; readonly source: FixRequest['source']; readonly items: number }
    | { readonly kind: 'stop-requested'; readonly by: string; readonly how: StopKind }
    /** A person wants work to continue at another phase. */
    | { readonly kind: 'redirected'; readonly by: string; readonly to: Phase }
    | { readonly kind: 'halted'; readonly state: Halt['state']; readonly code: HaltCode }
    /** Continues after a halt, in the same run. */
    | { readonly kind: 'resumed' }
    | { readonly kind: 'done'; readonly oid: Oid; readonly spentUsd: number }
  );

/** `stop` ends the running phase; `pause` lets it finish. */
export const STOP_KINDS = ['stop', 'pause'] as const;
export type StopKind = (typeof STOP_KINDS)[number];

/** What an agent can be seen doing. */
export const ACTIVITIES = ['step', 'up', 'message', 'tool', 'wait'] as const;
export type ActivityKind =
  /** A process was started: the first, a resumed one, or one that starts over. */
  | 'step'
  /** The process has started and sent its first event. */
  | 'up'
  /** The model said something. */
  | 'message'
  /** The model uses a tool. */
  | 'tool'
  /** The model's API asks to wait. */
  | 'wait';

/** One thing an agent just did. Shown while it runs; only the newest few are kept. */
export interface RunActivity {
  readonly at: Instant;
  readonly issue: IssueRef;
  readonly phase: AgentPhase;
  readonly phaseRun: string;
  readonly kind: ActivityKind;
  /** A few words: what was said, the tool's name. */
  readonly text: string;
}

/** What a running agent did last. */
export interface LiveRun {
  readonly issue: IssueRef;
  readonly phase: AgentPhase;
  readonly phaseRun: string;
  /** Time of the last activity. */
  readonly at: Instant;
  /** Newest last, at most `KEPT_ACTIVITIES`. */
  readonly recent: readonly Pick<RunActivity, 'at' | 'kind' | 'text'>[];
}

export const KEPT_ACTIVITIES = 20;

/** The newest phase run among activities, oldest first; `null` when there are none. */
export function liveRunOf(activities: readonly RunActivity[]): LiveRun | null {
  const last = activities.at(-1);
  if (last === undefined) return null;
  const recent = activities
    .filter(({ phaseRun }) => phaseRun === last.phaseRun)
    .slice(-KEPT_ACTIVITIES)
    .map(({ at, kind, text }) => ({ at, kind, text }));
  const { issue, phase, phaseRun, at } = last;
  return { issue, phase, phaseRun, at, recent };
}
