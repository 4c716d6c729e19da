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
 * Takes into account what people did to the issue with their own hands: labels, closing, reopening, editing. Found in the snapshot
 * itself, so it makes no difference whether a webhook, the sweep or a finished phase made us look. Answers the snapshot to go on
 * from, or `null` when somebody else was faster.
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
  // Nothing outweighs a stop, whatever is done after it.
  const change = request === null || before?.kind === 'stop' ? {} : { pendingRequest: request };
  return recordManualActions(engine, snapshot, manualActions, { ...sized, ...change });
}

/** A size label during a run: a permitted person's is written into the state, anybody else's is taken off again and explained. */
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

/** Landed once, and just now opened again. */
function isReopening(snapshot: IssueSnapshot, manualActions: readonly ManualAction[]): boolean {
  const { done, landed } = stateOf(snapshot).progress;
  const hasLanded = done !== null || landed !== null || snapshot.pull?.state === 'merged';
  return hasLanded && manualActions.some(({ kind }) => kind === 'reopened');
}

/** The run has ended: only somebody permitted makes it go on. */
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
  // Whoever reopens it: what is missing is for a person to say, and nothing is spent before they did.
  const rests = reopened !== undefined && stateOf(snapshot).halt === null;
  const halt = {
    state: 'needs-human',
    code: 'reopened',
    because: `${reopened?.actor.login ?? ''} reopened it`,
  } as const;
  return recordManualActions(engine, snapshot, manualActions, { ...sized, ...(rests ? { halt } : {}) });
}

/** What these actions ask of a run that is going. The last one that counts wins, but nothing outweighs a stop. */
async function findPendingRequest(
  engine: Engine,
  snapshot: IssueSnapshot,
  manualActions: readonly ManualAction[],
): Promise<PendingRequest | null> {
  let request: PendingRequest | null = null;
  for (const manualAction of manualActions) {
    const { actor, event } = manualAction;
    const around = { by: actor.login, at: event.at };
    // Whoever may close an issue does not want it worked on, permitted or not.
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

/** Writes down how far the timeline was read, and what came of it. */
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
