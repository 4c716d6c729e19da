import type { OutcomeVerdict } from './outcome.js';
import type { StopReason } from './supervision.js';
import { HANDOFF_PROMPT, renderNudge, type NudgeCause } from './nudge.js';

/** How often a run may continue after each kind of problem. */
export interface RunCaps {
  /** Recoveries in a row without progress in between. */
  readonly recoveriesPerStep: number;
  readonly recoveriesPerRun: number;
  /** Failures after which a session is no longer resumed. */
  readonly failuresPerSession: number;
  readonly noOps: number;
  /** Fresh starts because the work did not fit the window. */
  readonly overflows: number;
  /** Fresh sessions because the one before was nearly full. */
  readonly handovers: number;
}

export const RUN_CAPS: RunCaps = {
  recoveriesPerStep: 3,
  recoveriesPerRun: 10,
  failuresPerSession: 2,
  noOps: 2,
  overflows: 1,
  handovers: 5,
};

/** What has happened in a run so far. */
export interface RunHistory {
  readonly recoveries: number;
  readonly recoveriesInARow: number;
  readonly sessionFailures: number;
  readonly noOps: number;
  readonly overflows: number;
  readonly handovers: number;
  /** The current step was started only to get the handoff. */
  readonly isHandingOver: boolean;
}

export const RUN_START: RunHistory = {
  recoveries: 0,
  recoveriesInARow: 0,
  sessionFailures: 0,
  noOps: 0,
  overflows: 0,
  handovers: 0,
  isHandingOver: false,
};

/** How a step ended, as far as what comes next depends on it. */
export type StepEnd =
  /** Another step would not change the result. */
  | { readonly kind: 'settled'; readonly verdict: OutcomeVerdict }
  /** It ended normally, but without a result or without the commits or files that the phase must produce. */
  | {
      readonly kind: 'no-op';
      readonly missing: string | null;
      /** Tools it was denied. */
      readonly denied: readonly string[];
    }
  /** Supervision ended it. */
  | {
      readonly kind: 'ended';
      readonly reason: Exclude<StopReason, 'timed-out' | 'lingering' | 'window-full' | 'compacted'>;
      readonly why: string;
      readonly left: StepRemains;
    }
  /** Its process died without reporting anything. */
  | { readonly kind: 'lost'; readonly why: string; readonly left: StepRemains }
  /** It should have resumed a session that no longer exists. */
  | { readonly kind: 'session-lost' }
  /** The conversation does not fit the model's window. */
  | { readonly kind: 'overflowed' }
  /** The conversation nearly fills the model's window. */
  | { readonly kind: 'window-full' };

/** What a step that failed has left behind. */
export interface StepRemains {
  /** There is a conversation that can be resumed. */
  readonly session: boolean;
  /** It made progress. */
  readonly progress: boolean;
}

/** What is left of the run's limits. */
export interface RemainingLimits {
  readonly turns: number;
  /** `null`: no limit. */
  readonly budgetUsd: number | null;
  readonly activeMs: number;
}

export type NextStep =
  /** Resume the same session with this prompt. */
  | { readonly kind: 'resume'; readonly prompt: string; readonly because: string }
  /** Ask the same session for its handoff only. */
  | { readonly kind: 'hand-over'; readonly prompt: string; readonly because: string }
  /** Start a fresh session with the handoff. */
  | { readonly kind: 'cold'; readonly because: string }
  | { readonly kind: 'finish'; readonly verdict: OutcomeVerdict };

export interface AfterStep {
  readonly run: RunHistory;
  readonly next: NextStep;
}

/** Decides what comes after a step. Every way to continue has a cap, so each run ends. */
export function decideNextStep(
  run: RunHistory,
  end: StepEnd,
  remaining: RemainingLimits,
  caps: RunCaps = RUN_CAPS,
): AfterStep {
  const finish = (verdict: OutcomeVerdict): AfterStep => ({ run, next: { kind: 'finish', verdict } });
  if (end.kind === 'settled' && !(run.isHandingOver && isAgentsFault(end.verdict))) return finish(end.verdict);
  const isSpent =
    remaining.turns <= 0 || remaining.activeMs <= 0 || (remaining.budgetUsd !== null && remaining.budgetUsd <= 0);
  if (run.isHandingOver) {
    if (isSpent) return finish({ kind: 'turn-capped' });
    return startFreshSession({ ...run, isHandingOver: false }, 'the conversation was nearly full');
  }
  switch (end.kind) {
    case 'settled':
      return finish(end.verdict);
    case 'no-op':
      return isSpent || run.noOps >= caps.noOps ? finish(noOpVerdict(end.denied)) : afterNoOp(run, end.missing);
    case 'ended':
    case 'lost':
    case 'session-lost':
      return isSpent ? finish(failedVerdict(end)) : afterFailure(run, end, caps);
    case 'overflowed':
      if (isSpent || run.overflows >= caps.overflows) return finish({ kind: 'context-overflow' });
      return startFreshSession({ ...run, overflows: run.overflows + 1 }, 'the work did not fit the model’s window');
    case 'window-full':
      if (isSpent) return finish({ kind: 'turn-capped' });
      if (run.handovers >= caps.handovers) return finish({ kind: 'context-overflow' });
      return {
        run: { ...run, handovers: run.handovers + 1, isHandingOver: true },
        next: { kind: 'hand-over', prompt: HANDOFF_PROMPT, because: 'the conversation is nearly full' },
      };
  }
}

type Failure = Extract<StepEnd, { kind: 'ended' | 'lost' | 'session-lost' }>;

function afterFailure(run: RunHistory, end: Failure, caps: RunCaps): AfterStep {
  // An agent that loops also uses tools, so that does not count as progress.
  const hasProgressed = end.kind !== 'session-lost' && end.left.progress && causeOf(end) !== 'looped';
  const inARow = (hasProgressed ? 0 : run.recoveriesInARow) + 1;
  if (inARow > caps.recoveriesPerStep || run.recoveries >= caps.recoveriesPerRun) {
    return { run, next: { kind: 'finish', verdict: failedVerdict(end) } };
  }
  const sessionFailures = run.sessionFailures + 1;
  const counted = { ...run, recoveries: run.recoveries + 1, recoveriesInARow: inARow, sessionFailures };
  const because = describeFailure(end);
  const canResume = end.kind !== 'session-lost' && end.left.session && sessionFailures < caps.failuresPerSession;
  if (!canResume) return startFreshSession(counted, because);
  const prompt = renderNudge(causeOf(end), inARow, counted.recoveries + run.noOps, null);
  return { run: counted, next: { kind: 'resume', prompt, because } };
}

function afterNoOp(run: RunHistory, missing: string | null): AfterStep {
  const noOps = run.noOps + 1;
  const prompt = renderNudge(missing === null ? 'no-result' : 'no-artefact', noOps, run.recoveries + noOps, missing);
  const because = missing === null ? 'it ended without a result' : `the result lacks what it is about: ${missing}`;
  return { run: { ...run, noOps }, next: { kind: 'resume', prompt, because } };
}

function startFreshSession(run: RunHistory, because: string): AfterStep {
  return { run: { ...run, sessionFailures: 0 }, next: { kind: 'cold', because } };
}

function causeOf(end: Exclude<Failure, { kind: 'session-lost' }>): NudgeCause {
  if (end.kind === 'lost') return 'lost';
  switch (end.reason) {
    case 'looped':
      return 'looped';
    case 'no-progress':
      return 'stuck';
    case 'idle':
    case 'no-first-event':
      return 'silent';
  }
}

function failedVerdict(end: Failure): OutcomeVerdict {
  if (end.kind === 'ended') return end.reason === 'looped' ? { kind: 'looped' } : { kind: 'stalled', why: end.why };
  return { kind: 'lost', why: end.kind === 'lost' ? end.why : 'The session to go on with is gone.' };
}

function describeFailure(end: Failure): string {
  if (end.kind === 'session-lost') return 'its session was gone';
  if (end.kind === 'lost') return 'it died';
  return end.reason === 'looped' ? 'it went in circles' : 'it stalled';
}

function noOpVerdict(denied: readonly string[]): OutcomeVerdict {
  if (denied.length === 0) return { kind: 'no-op' };
  const why = `The agent came to nothing, and was denied: ${[...new Set(denied)].join(', ')}.`;
  return { kind: 'failed', cause: 'permission', why };
}

/** Whether the agent itself failed to give a handoff. Then the service makes one and the work continues. */
function isAgentsFault(verdict: OutcomeVerdict): boolean {
  const { kind } = verdict;
  if (kind === 'failed' && verdict.cause === 'limits') return false;
  return ['succeeded', 'no-op', 'failed', 'turn-capped', 'looped', 'stalled', 'context-overflow', 'lost'].includes(
    kind,
  );
}
