import { isRunning, landedCommit, stateOf } from '../../domain/state/evidence.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import { type IssueState, EMPTY_PROGRESS, type RunRecord } from '../../domain/state/state.js';
import type { Engine } from '../engine.js';
import { authorisedText, unvouchedText } from '../issue/issue-text.js';
import { swapOrRequeue } from '../issue/swap-or-requeue.js';

/** The issue's text is not what was vouched for: a permitted person's edit is triaged anew, anybody else's does not count. */
export async function applyTextEdit(engine: Engine, snapshot: IssueSnapshot): Promise<IssueSnapshot | null> {
  const state = stateOf(snapshot);
  const { run, ignoredEdit } = state;
  if (run === null || !isRunning(snapshot)) return snapshot;
  const text = authorisedText(snapshot);
  if (text.hash === run.authorised.hash || text.hash === ignoredEdit) return snapshot;
  const counts = landedCommit(snapshot) === null && (await unvouchedText(engine, snapshot, run.authorised)) === null;
  const next = counts ? withRetriage(state, run, text) : { ...state, ignoredEdit: text.hash };
  const because = counts
    ? 'the issue was edited by somebody who may, so it is triaged again'
    : 'an edit of the issue does not count: it was made by somebody without write permission, or after the work landed';
  return swapOrRequeue(engine, snapshot, next, because);
}

/** Work that is there is kept and gone on from; what it was measured by is not valid any more. */
export function withRetriage(state: IssueState, run: RunRecord, authorised: RunRecord['authorised']): IssueState {
  const { pushed, wip, ready, held, pullReason, supersededPr } = state.progress;
  return {
    ...state,
    run: { ...run, authorised, approvedCriteria: null },
    ignoredEdit: null,
    progress: { ...EMPTY_PROGRESS, wip: wip ?? ready?.commit ?? pushed?.head ?? null, held, pullReason, supersededPr },
  };
}
