import type { Action } from '../../domain/action/action.js';
import { decide } from '../../domain/decide/decide.js';
import { formatIssue, type IssueRef } from '../../domain/issue/ids.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import { releaseFromBatch, wakeNextInBatch } from '../batch/batch-order.js';
import { type Engine, logDecision, type Observer } from '../engine.js';
import { execute } from './execute.js';
import { applyManualActions } from '../intent/apply-manual-actions.js';
import { observe } from '../issue/observe.js';
import { recordDecision } from '../events/record-events.js';

/** More steps than any issue needs between two waits. A loop that gets here is a defect, and is stopped. */
const MAX_STEPS = 25;

/** Reads an issue and performs the next steps until there is nothing to do but wait. */
export async function reconcile(engine: Engine, ref: IssueRef): Promise<void> {
  if (!isServed(engine, ref)) return;
  const snapshot = await observe(engine, ref);
  if (snapshot === null) {
    engine.log.info({ issue: formatIssue(ref) }, 'issue is gone');
    return;
  }
  await reconcileFrom(engine, snapshot);
}

/** Checked here, where work begins, for every way in: the operator's list of repositories. */
export function isServed(engine: Engine, ref: IssueRef): boolean {
  if (engine.serves(ref)) return true;
  engine.log.info({ issue: formatIssue(ref) }, 'repository not served');
  return false;
}

/** Like `reconcile`, from a fresh snapshot. */
export async function reconcileFrom(engine: Engine, start: IssueSnapshot): Promise<void> {
  let snapshot: IssueSnapshot | null = start;
  for (let step = 0; snapshot !== null; step += 1) {
    if (step === MAX_STEPS) {
      engine.log.error({ issue: formatIssue(start.ref) }, 'too many steps without a wait');
      return;
    }
    const current: IssueSnapshot | null = await applyManualActions(engine, snapshot);
    snapshot = current === null ? null : await releaseFromBatch(engine, current);
    if (snapshot === null) return;
    const action = await decideNext(engine, snapshot);
    logDecision(engine, start.ref, { action: action.kind, because: action.because });
    recordDecision(engine, snapshot, action);
    if (action.kind === 'wait' && action.on === 'rest') await wakeNextInBatch(engine, snapshot);
    snapshot = await execute(engine, snapshot, action);
  }
}

/** The next action, decided by GitHub's clock: leases and deadlines are written by it. */
export async function decideNext(engine: Pick<Observer, 'policyFor'>, snapshot: IssueSnapshot): Promise<Action> {
  return decide(snapshot, await engine.policyFor(snapshot), snapshot.readAt);
}
