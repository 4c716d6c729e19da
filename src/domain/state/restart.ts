import { currentPull, stateOf } from './evidence.js';
import type { Phase } from '../issue/phase.js';
import type { IssueSnapshot, PullFacts } from './snapshot.js';
import { type IssueState, EMPTY_PROGRESS, type Progress } from './state.js';

/**
 * The pull request that rewritten work no longer uses. An open one stays in use, because GitHub opens no second one from the same
 * branch, and Sluice would ask for one forever.
 */
export function supersededPullNumber(pull: PullFacts | null): number | null {
  return pull === null || pull.state === 'open' ? null : pull.number;
}

/** The progress that still counts when work restarts at a phase: everything before that phase. */
export function progressBefore(progress: Progress, phase: Phase, newestPull: number | null): Progress {
  const { triage, spec, wip, pullReason } = progress;
  const supersededPr = newestPull ?? progress.supersededPr;
  // Interrupted work is continued; finished work is rewritten.
  const anew: Progress = { ...EMPTY_PROGRESS, wip, startsOver: wip === null, pullReason, supersededPr };
  switch (phase) {
    case 'issue':
      return anew;
    case 'spec':
      return { ...anew, triage };
    case 'ready':
    case 'code':
      return { ...anew, triage, spec };
    case 'review':
    case 'merge':
      return { ...progress, review: null, overruled: null, verify: null, done: null };
    case 'verify':
    case 'done':
      return { ...progress, verify: null, done: null };
  }
}

/** Restarts work at a phase because a person asked for it. Earlier progress counts, later progress does not. */
export function restartAtPhase(snapshot: IssueSnapshot, phase: Phase): IssueState {
  const state = stateOf(snapshot);
  const { pendingRequest, run } = state;
  const waiver =
    pendingRequest?.kind === 'go-to' ? { phase, by: pendingRequest.by, eventId: pendingRequest.eventId } : null;
  return {
    ...state,
    pendingRequest: null,
    run: run === null ? null : { ...run, waiver },
    progress: progressBefore(state.progress, provenPhase(phase), supersededPullNumber(currentPull(snapshot))),
    counters: { ...state.counters, failures: 0, crashes: 0, noProgress: 0 },
  };
}

/** A label proves nothing: after `code`, only evidence decides how far the work is. */
function provenPhase(phase: Phase): Phase {
  return phase === 'issue' || phase === 'spec' || phase === 'ready' || phase === 'code' ? phase : 'done';
}
