import type { Action } from '../../domain/action/action.js';
import { stateOf } from '../../domain/state/evidence.js';
import { decide, decideLanding } from '../../domain/decide/decide.js';
import type { IssueRef } from '../../domain/issue/ids.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import { NOBODY } from '../../domain/state/state.js';
import { swapOrRequeue } from '../issue/swap-or-requeue.js';
import type { Engine } from '../engine.js';
import { applyManualActions } from '../intent/apply-manual-actions.js';
import { observe } from '../issue/observe.js';
import { accessLevelOf } from '../issue/access-level.js';

/** A write that cannot be undone, about to be made. */
export interface Landing {
  readonly ref: IssueRef;
  /** Whether an action is this same write: same kind, same commit. */
  readonly isStill: (action: Action) => boolean;
  /** The phase run that makes the write, if any: its own lease does not block it. */
  readonly phaseRun?: string;
}

export type Confirmation =
  /** Everything was read again, and the write is still the next step. */
  | { readonly kind: 'confirmed'; readonly snapshot: IssueSnapshot }
  /** Something else is next. `snapshot` is `null` when the issue is gone or another writer was faster. */
  | { readonly kind: 'changed'; readonly because: string; readonly snapshot: IssueSnapshot | null };

/**
 * The last check before a merge or a push to base. Everything is read again, manual actions are applied, and the decision is made again:
 * open issue, green checks, no objection, not paused. Then the requester must still be permitted.
 */
export async function confirmLanding(engine: Engine, landing: Landing): Promise<Confirmation> {
  const changed = (because: string, snapshot: IssueSnapshot | null): Confirmation => ({
    kind: 'changed',
    because,
    snapshot,
  });
  const seen = await observe(engine, landing.ref);
  if (seen === null) return changed('the issue is gone', null);
  const snapshot = await applyManualActions(engine, seen);
  if (snapshot === null) return changed('somebody else was faster', null);
  const action = await nextAction(engine, landing, snapshot);
  if (!landing.isStill(action)) return changed(action.because, snapshot);
  if (await isAuthorised(engine, snapshot)) return { kind: 'confirmed', snapshot };
  const state = stateOf(snapshot);
  const because = `${state.run?.by.login ?? 'nobody'} has no write permission any more`;
  const halt = { state: 'needs-human', code: 'authoriser-gone', because } as const;
  return changed(because, await swapOrRequeue(engine, snapshot, { ...state, halt, pendingRequest: null }, because));
}

async function nextAction(engine: Engine, { phaseRun }: Landing, snapshot: IssueSnapshot): Promise<Action> {
  const policy = await engine.policyFor(snapshot);
  if (phaseRun === undefined) return decide(snapshot, policy, snapshot.readAt);
  return decideLanding(snapshot, policy, snapshot.readAt, phaseRun);
}

/** A run requested by the operator through the API has no GitHub user, and needs no role. */
async function isAuthorised(engine: Engine, snapshot: IssueSnapshot): Promise<boolean> {
  const { run } = stateOf(snapshot);
  if (run === null) return false;
  if (run.by.id === NOBODY) return true;
  return (await accessLevelOf(engine, snapshot.ref, { ...run.by, kind: 'human' })) === 'write';
}
