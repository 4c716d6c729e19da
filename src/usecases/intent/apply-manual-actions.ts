import { isRunning, stateOf } from '../../domain/state/evidence.js';
import { type ManualAction, findManualActions } from '../../domain/intent/manual-actions.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { IssueState, PendingRequest } from '../../domain/state/state.js';
import { refusalText } from '../../domain/render/replies/refusals.js';
import { resizedText } from '../../domain/render/phrases/size-reason.js';
import type { Engine } from '../engine.js';
import { applyTextEdit } from './apply-text-edit.js';
import { applyResolution } from './apply-resolution.js';
import { applyStopComments } from './apply-stop-comments.js';
import { sortPhaseLabels, explainRefusedLabel, applyPhaseLabels, startFromLabel } from './apply-phase-labels.js';
import { accessLevelOf } from '../issue/access-level.js';
import { sortSizeLabels } from './read-sizes.js';
import { swapOrRequeue } from '../issue/swap-or-requeue.js';

/**
 * Applies what people did to the issue by hand: labels, closing, reopening, editing. It is read from the snapshot, so it does not matter
 * whether a webhook, the sweep or a finished phase caused the read. Returns the snapshot to continue from, or `null` when another writer
 * was faster.
 */
export async function applyManualActions(engine: Engine, seen: IssueSnapshot): Promise<IssueSnapshot | null> {
  if (seen.reading.kind === 'unverifiable') return seen;
  const stopped = await applyStopComments(engine, seen);
  const snapshot = stopped === null ? null : await applyResolution(engine, stopped);
  if (snapshot === null) return null;
  const manualActions = findManualActions(snapshot);
  const { run, pendingRequest: before } = stateOf(snapshot);
  if (run === null) return applyPhaseLabels(engine, snapshot, manualActions);
  if (manualActions.length === 0) return applyTextEdit(engine, snapshot);
  const sized = await applySizeLabels(engine, snapshot, manualActions);
  if (!isRunning(snapshot) || isReopening(snapshot, manualActions))
    return applyAtRest(engine, snapshot, manualActions, sized);
  const request = await findPendingRequest(engine, snapshot, manualActions);
  // A stop wins over everything that comes after it.
  const change = request === null || before?.kind === 'stop' ? {} : { pendingRequest: request };
  return recordManualActions(engine, snapshot, manualActions, { ...sized, ...change });
}

/** Size labels set during a run. One by a permitted person goes into the state; any other is removed and explained. */
async function applySizeLabels(
  engine: Engine,
  snapshot: IssueSnapshot,
  manualActions: readonly ManualAction[],
): Promise<ManualActionChanges> {
  const { run } = stateOf(snapshot);
  const { wanted, refused } = await sortSizeLabels(engine, snapshot, manualActions);
  for (const { actor, label } of refused)
    await engine.github.reply(
      snapshot.ref,
      `size-label:${actor.id}`,
      refusalText({ kind: 'size-label', login: actor.login, label }),
    );
  return run === null || wanted === null ? {} : { run: { ...run, ownSize: wanted, vouchedSize: null } };
}

/** Whether the work has landed and the issue was reopened since. */
function isReopening(snapshot: IssueSnapshot, manualActions: readonly ManualAction[]): boolean {
  const { done, landed } = stateOf(snapshot).progress;
  const hasLanded = done !== null || landed !== null || snapshot.pull?.state === 'merged';
  return hasLanded && manualActions.some(({ kind }) => kind === 'reopened');
}

/** After a run has ended, only a permitted person can continue it. */
async function applyAtRest(
  engine: Engine,
  snapshot: IssueSnapshot,
  manualActions: readonly ManualAction[],
  sized: ManualActionChanges,
): Promise<IssueSnapshot | null> {
  const { wanted, refused } = await sortPhaseLabels(engine, snapshot, manualActions);
  for (const one of refused) await explainRefusedLabel(engine, snapshot, one);
  if (wanted !== null && snapshot.state === 'open') return startFromLabel(engine, snapshot, wanted);
  const reopened = manualActions.findLast((manualAction) => manualAction.kind === 'reopened');
  // Whoever reopened it, a person must first say what is missing. Until then no money is spent.
  const rests = reopened !== undefined && stateOf(snapshot).halt === null;
  const halt = {
    state: 'needs-human',
    code: 'reopened',
    because: `${reopened?.actor.login ?? ''} reopened it`,
  } as const;
  return recordManualActions(engine, snapshot, manualActions, { ...sized, ...(rests ? { halt } : {}) });
}

/** What these actions ask of a run in progress. The last one wins, except that a stop always wins. */
async function findPendingRequest(
  engine: Engine,
  snapshot: IssueSnapshot,
  manualActions: readonly ManualAction[],
): Promise<PendingRequest | null> {
  let request: PendingRequest | null = null;
  for (const manualAction of manualActions) {
    const { actor, event } = manualAction;
    const around = { by: actor.login, at: event.at };
    // Closing an issue stops the run, whether or not the person is permitted to use Sluice.
    if (manualAction.kind === 'closed') return { ...around, kind: 'stop', because: `${actor.login} closed the issue` };
    if (manualAction.kind === 'reopened' || manualAction.kind === 'size') continue;
    if ((await accessLevelOf(engine, snapshot.ref, actor)) !== 'write') {
      if (manualAction.kind === 'phase') await explainRefusedLabel(engine, snapshot, manualAction);
      continue;
    }
    if (manualAction.kind === 'unlabelled')
      return { ...around, kind: 'stop', because: `${actor.login} took auto/running away` };
    request = { ...around, kind: 'go-to', phase: manualAction.phase, eventId: event.id };
  }
  return request;
}

/** What manual actions change in the state. */
type ManualActionChanges = Partial<Pick<IssueState, 'pendingRequest' | 'halt' | 'run'>>;

/** Records how far the timeline was read, together with the resulting changes. */
async function recordManualActions(
  engine: Engine,
  snapshot: IssueSnapshot,
  manualActions: readonly ManualAction[],
  change: ManualActionChanges,
): Promise<IssueSnapshot | null> {
  const last = manualActions.at(-1)?.event;
  if (last === undefined) return snapshot;
  const state = stateOf(snapshot);
  const because = [
    ...(change.pendingRequest?.kind === 'stop' ? [change.pendingRequest.because] : []),
    ...(change.run == null ? [] : [resizedText(snapshot, change.run)]),
  ];
  const next = { ...state, ...change, timelineCursor: { id: last.id, at: last.at } };
  const noted = `took note of what ${last.actor?.login ?? 'ghost'} did`;
  return swapOrRequeue(engine, snapshot, next, because.length === 0 ? noted : because.join('; '));
}
