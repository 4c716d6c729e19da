import type { Action, Effect } from '../../domain/action/action.js';
import { landedCommit, stateOf } from '../../domain/state/evidence.js';
import { formatIssue } from '../../domain/issue/ids.js';
import { withFixRequest } from '../../domain/state/fix-request.js';
import { restartAtPhase } from '../../domain/state/restart.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { Instant } from '../../domain/issue/instant.js';
import { GitHubError } from '../../ports/github.js';
import { swapOrRequeue } from '../issue/swap-or-requeue.js';
import type { Engine } from '../engine.js';
import { keepFormer } from '../issue/keep-former.js';
import { mergePull } from './merge-pull.js';
import { openPull } from './open-pull.js';
import { rememberSnapshot } from '../issue/recent-snapshots.js';
import { resolveSnapshot, hintsFor, observe } from '../issue/observe.js';
import { withTriageFromBoxes } from '../../domain/state/triage-from-boxes.js';

/** Performs one action. Returns the snapshot to continue from, or `null` when there is nothing to do but wait. */
export async function execute(engine: Engine, snapshot: IssueSnapshot, action: Action): Promise<IssueSnapshot | null> {
  switch (action.kind) {
    case 'wait':
      if (action.until !== undefined)
        await engine.queue.wakeAt(snapshot.ref, localTime(engine, snapshot, action.until));
      return null;
    case 'run':
      rememberSnapshot(engine, snapshot);
      await engine.queue.startPhase({ ref: snapshot.ref, phase: action.phase });
      return null;
    case 'halt': {
      const { state, code, because } = action;
      if (code === 'work-unrelated') await keepFormer(engine, snapshot);
      return swapOrRequeue(
        engine,
        snapshot,
        { ...stateOf(snapshot), halt: { state, code, because }, pendingRequest: null },
        because,
      );
    }
    case 'effect':
      return perform(engine, snapshot, action.effect, action.because).catch((error: unknown) => {
        if (!(error instanceof GitHubError) || error.problem !== 'outdated') throw error;
        engine.log.warn({ issue: formatIssue(snapshot.ref), effect: action.effect.kind }, 'too late to write');
        return observe(engine, snapshot.ref);
      });
  }
}

async function perform(
  engine: Engine,
  snapshot: IssueSnapshot,
  effect: Effect,
  because: string,
): Promise<IssueSnapshot | null> {
  const hints = hintsFor(engine, snapshot.ref);
  switch (effect.kind) {
    case 'project':
      return resolveSnapshot(engine, await engine.github.project(snapshot, effect.changes, hints), hints);
    case 'open-pr':
      return openPull(engine, snapshot);
    case 'merge':
      return mergePull(engine, snapshot, effect, because);
    case 'note-silence':
      return swapOrRequeue(engine, snapshot, { ...stateOf(snapshot), silence: effect.silence }, because);
    case 'note-head':
      return swapOrRequeue(engine, snapshot, { ...stateOf(snapshot), shownHead: effect.shown }, because);
    case 'request-fix':
      return swapOrRequeue(engine, snapshot, withFixRequest(snapshot, effect.fix), because, `fix-${effect.fix.source}`);
    case 'use-pull': {
      const state = stateOf(snapshot);
      return swapOrRequeue(
        engine,
        snapshot,
        { ...state, progress: { ...state.progress, pullReason: effect.why } },
        because,
      );
    }
    case 'use-base':
      return useBase(engine, snapshot, effect.base, because);
    case 'go-to':
      return swapOrRequeue(engine, snapshot, withTriageFromBoxes(restartAtPhase(snapshot, effect.phase)), because);
    case 'finish': {
      const state = stateOf(snapshot);
      const done = landedCommit(snapshot);
      return swapOrRequeue(engine, snapshot, { ...state, progress: { ...state.progress, done } }, because);
    }
  }
}

/** Reads again on another base branch. */
async function useBase(
  engine: Engine,
  snapshot: IssueSnapshot,
  base: string,
  because: string,
): Promise<IssueSnapshot | null> {
  const state = stateOf(snapshot);
  const run = state.run === null ? null : { ...state.run, options: { ...state.run.options, base } };
  const noted = await swapOrRequeue(engine, snapshot, { ...state, run }, because);
  return noted === null ? null : observe(engine, snapshot.ref);
}

/** Converts GitHub's time to ours. */
function localTime(engine: Engine, snapshot: IssueSnapshot, at: Instant): number {
  return engine.clock.now() + Math.max(0, at - snapshot.readAt);
}
