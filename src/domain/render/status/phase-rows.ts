import { currentPull, isDone, landedCommit, currentPhase, routeFor, sizeOf, stateOf } from '../../state/evidence.js';
import type { Phase } from '../../issue/phase.js';
import { phasesOf } from '../../issue/route.js';
import type { IssueSnapshot } from '../../state/snapshot.js';
import type { IssueState, Transition } from '../../state/state.js';
import { formatCount } from '../phrases/figures.js';
import { shortOid } from '../../issue/ids.js';

/** One row of the table of phases. */
export interface PhaseRow {
  readonly phase: Phase;
  readonly stage:
    | 'passed'
    /** In progress, or next. */
    | 'current'
    /** Where the run stopped. */
    | 'resting'
    | 'to-come';
  readonly ms: number;
  readonly costUsd: number;
  /** Phase runs that ended, with any result. */
  readonly attempts: number;
  /** What is worth knowing, newest last. */
  readonly notes: readonly string[];
}

export function phaseRows(snapshot: IssueSnapshot): readonly PhaseRow[] {
  const state = stateOf(snapshot);
  const current = currentPhase(snapshot);
  const phases = phasesOf(routeFor(snapshot), sizeOf(snapshot)).filter((phase) => phase !== 'done');
  const reached = phases.findIndex((phase) => phase === current);
  const stageOf = (index: number): PhaseRow['stage'] => {
    if (isDone(snapshot) || (reached >= 0 && index < reached)) return 'passed';
    if (index !== reached) return 'to-come';
    return state.halt === null ? 'current' : 'resting';
  };
  return phases.map((phase, index) => {
    const runs = state.transitions.filter((one) => one.phase === phase && one.ms !== undefined);
    return {
      phase,
      stage: stageOf(index),
      ms: runs.reduce((sum, run) => sum + (run.ms ?? 0), 0),
      costUsd: runs.reduce((sum, run) => sum + (run.costUsd ?? 0), 0),
      attempts: runs.length,
      notes: notesOn(snapshot, state, phase, runs),
    };
  });
}

function notesOn(
  snapshot: IssueSnapshot,
  state: IssueState,
  phase: Phase,
  runs: readonly Transition[],
): readonly string[] {
  const last = runs.at(-1)?.because;
  switch (phase) {
    case 'code':
      return [...(last === undefined ? [] : [last]), ...fixNotes(state)];
    case 'merge': {
      const landed = landedCommit(snapshot);
      const tries = state.counters.mergeTries;
      if (landed === null || currentPull(snapshot) === null) return tries > 1 ? [`tried ${tries} times`] : [];
      return [`landed as ${shortOid(landed.oid)}`];
    }
    default:
      return last === undefined ? [] : [last];
  }
}

/** `1 CI failure → fixed in abc1234`. */
function fixNotes({ transitions, progress, counters }: IssueState): readonly string[] {
  const times = (what: Transition['kind']): number => transitions.filter((one) => one.kind === what).length;
  const fixed =
    progress.fix === null && progress.pushed !== null ? ` → fixed in ${shortOid(progress.pushed.head)}` : '';
  const rounds = times('fix-review');
  return [
    ...(times('fix-checks') === 0 ? [] : [`${formatCount(times('fix-checks'), 'CI failure')}${fixed}`]),
    ...(times('fix-conflict') === 0 ? [] : [`${formatCount(times('fix-conflict'), 'conflict')} with base${fixed}`]),
    ...(times('fix-people') === 0
      ? []
      : [`${formatCount(times('fix-people'), 'review by a person', 'reviews by people')} asked for changes${fixed}`]),
    ...(rounds === 0 ? [] : [`${formatCount(rounds, 'review')} asked for changes${fixed}`]),
    ...(counters.verifyIterations === 0
      ? []
      : [`done again ${formatCount(counters.verifyIterations, 'time')} after verification`]),
  ];
}
