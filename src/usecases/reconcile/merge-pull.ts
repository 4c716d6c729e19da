import type { Effect } from '../../domain/action/action.js';
import { currentPull, stateOf } from '../../domain/state/evidence.js';
import { formatIssue } from '../../domain/issue/ids.js';
import { withMergeRefusal } from '../../domain/state/merge-notes.js';
import { pullBody, pullTitle } from '../../domain/render/pull-request/pull-text.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import { swapOrRequeue } from '../issue/swap-or-requeue.js';
import { confirmLanding } from './confirm-landing.js';
import type { Engine } from '../engine.js';
import { resolveSnapshot, hintsFor, observe } from '../issue/observe.js';

type Merge = Extract<Effect, { kind: 'merge' }>;

/** Merges exactly one head, after everything was read again. The attempt is recorded first; a refusal is recorded with GitHub's reason. */
export async function mergePull(
  engine: Engine,
  seen: IssueSnapshot,
  wanted: Merge,
  because: string,
): Promise<IssueSnapshot | null> {
  const confirmation = await confirmLanding(engine, {
    ref: seen.ref,
    isStill: (action) =>
      action.kind === 'effect' &&
      action.effect.kind === 'merge' &&
      action.effect.pullId === wanted.pullId &&
      action.effect.head === wanted.head,
  });
  const issue = formatIssue(seen.ref);
  if (confirmation.kind === 'changed') {
    engine.log.info({ issue, because: confirmation.because }, 'not merged: something else is next now');
    return confirmation.snapshot;
  }
  const state = stateOf(confirmation.snapshot);
  const counters = { ...state.counters, mergeTries: state.counters.mergeTries + 1 };
  const noted = await swapOrRequeue(engine, confirmation.snapshot, { ...state, counters }, because);
  if (noted === null) return null;
  const hints = hintsFor(engine, noted.ref);
  const result = await engine.github.merge(noted, { ...wanted, ...mergeMessage(noted) }, hints);
  if (result.kind === 'merged') return resolveSnapshot(engine, result.snapshot, hints);
  engine.log.warn({ issue, why: result.why }, 'merge refused');
  const next = withMergeRefusal(stateOf(noted), { head: wanted.head, at: noted.readAt, ...result }, noted.ref.number);
  const written = await swapOrRequeue(engine, noted, next, `GitHub refused the merge: ${result.why}`);
  return written === null ? null : observe(engine, noted.ref);
}

function mergeMessage(snapshot: IssueSnapshot): { readonly title: string; readonly body: string } {
  const number = currentPull(snapshot)?.number ?? '';
  return { title: `${pullTitle(snapshot)} (#${number})`, body: pullBody(snapshot) };
}
