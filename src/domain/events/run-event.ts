import type { Effect, WaitReason } from '../action/action.js';
import type { HaltCode } from '../issue/halt-codes.js';
import type { IssueRef, Oid } from '../issue/ids.js';
import type { AgentPhase, Phase } from '../issue/phase.js';
import type { RunSummary } from '../agent/run-summary.js';
import type { FixRequest, Halt } from '../state/state.js';
import type { Instant } from '../issue/instant.js';

/** What every event says. */
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
  /** The attempt stays charged; the next one is told why. */
  | 'failed'
  /** A share of the work is done; the next run goes on. */
  | 'partial'
  /** Only a person can go on. */
  | 'needs-human'
  /** It had no chance: the attempt was given back. */
  | 'never-ran'
  /** Because a person, or the end of the service, asked for it. */
  | 'stopped'
  /** Somebody else took the issue over. */
  | 'lost';

/** Something that happened to a run. Told once, never changed; for people and for figures, never a reason to act. */
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
    /** Nothing to do until then, or until something happens. Told when the reason changes. */
    | { readonly kind: 'waiting'; readonly on: WaitReason; readonly until: Instant | null }
    /** Something was written to GitHub. */
    | { readonly kind: 'effect'; readonly effect: Effect['kind'] }
    /** The code has to be worked on again. */
    | { readonly kind: 'fix-requested'; readonly source: FixRequest['source']; readonly items: number }
    | { readonly kind: 'stop-requested'; readonly by: string; readonly how: StopKind }
    /** A person wants work to be taken up at another phase. */
    | { readonly kind: 'redirected'; readonly by: string; readonly to: Phase }
    | { readonly kind: 'halted'; readonly state: Halt['state']; readonly code: HaltCode }
    /** Goes on after a halt, in the same run. */
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
  /** The process is up: its first word. */
  | 'up'
  /** The model said something. */
  | 'message'
  /** The model uses a tool. */
  | 'tool'
  /** The model's API asks to wait. */
  | 'wait';

/** One thing an agent just did. Shown while it runs, kept by nobody. */
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
  /** When it was last heard. */
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
