import { previousHeadRef, shortOid } from '../issue/ids.js';
import type { Action } from '../action/action.js';
import { applyOptionGates } from './option-gates.js';
import {
  currentPull,
  isPullUnread,
  landedCommit,
  ownWork,
  currentPhase,
  routeFor,
  sizeOf,
  stateOf,
  verificationOf,
} from '../state/evidence.js';
import { decidePull } from './decide-pull.js';
import { haltAction, type DecisionInput, fixAction, runOrHalt, waitAction } from './decision-input.js';
import { CROWDED_MS, leaseHeld, onHold, pendingRequest, recordFirst } from './gates.js';
import { unaskedWork } from '../state/unasked-work.js';
import { patchObstacle } from './patch-guard.js';
import type { ReviewDepth } from '../issue/route.js';
import { waitForGitHub } from './github-silence.js';
import type { IssueSnapshot } from '../state/snapshot.js';
import { visibleText } from '../sanitise/neutralise.js';
import { unaskedText } from '../render/phrases/held-work.js';
import { unrelatedText } from '../render/phrases/unrelated-work.js';

/* What comes next for an issue, independent of what GitHub shows so far. The decision and the status comment both use it. */

/** What comes next after the projection. The status comment shows it, so it must not depend on the projection. */
export function nextStep(input: DecisionInput, step = findStep(input)): Action {
  return leaseHeld(input) ?? pendingRequest(input) ?? recordFirst(input, step) ?? onHold(input) ?? step;
}

/** The action for the first phase whose evidence is missing. */
export function findStep(input: DecisionInput): Action {
  const { snapshot, policy } = input;
  const route = routeFor(snapshot);
  const phase = currentPhase(snapshot);
  // While the configuration cannot be read, nothing new is decided. Work that has landed does not depend on it.
  const unread = policy.holds.find(({ on }) => on === 'config');
  if (unread !== undefined && phase !== 'done' && phase !== 'verify')
    return { kind: 'wait', on: 'hold', hold: 'config', because: unread.because };
  const waiting = unaskedWork(stateOf(snapshot));
  const gated = applyOptionGates(snapshot, policy, phase);
  if (gated !== null) return gated;
  switch (phase) {
    case 'done':
      return waitAction('rest', 'landed and verified');
    case 'issue':
      return runOrHalt(input, 'issue', 'size and acceptance criteria are not known yet');
    case 'spec':
      return runOrHalt(input, 'spec', 'there is no spec for the current criteria');
    case 'verify':
      return verifyLanded(input);
    case 'code':
    case 'review':
    case 'merge':
      if (isPullUnread(snapshot))
        return waitForGitHub(input, 'pull', stateOf(snapshot).progress.pushed?.head ?? NO_COMMIT);
      if (policy.workUnrelated && !stateOf(snapshot).progress.startsOver) return replaced(snapshot);
      if (phase === 'code' && waiting !== null)
        return haltAction('needs-human', 'off-limits', unaskedText(snapshot.ref.number, waiting));
      if (route.kind === 'graph') return haltAction('needs-human', 'xl-unsupported', 'the issue is size XL');
      if (route.kind === 'pr') return runPullRoute(input, route.depth);
      return runPatchRoute(input);
  }
}

/** Somebody replaced the work branch with commits that share no history with base. No agent can merge that. */
function replaced(snapshot: IssueSnapshot): Action {
  const [ours] = ownWork(snapshot);
  const kept = ours === undefined ? null : previousHeadRef(snapshot.ref.number, ours);
  return haltAction('needs-human', 'work-unrelated', unrelatedText(snapshot, kept));
}

/** A placeholder for a pushed commit that is no longer known. */
const NO_COMMIT = '0'.repeat(40);

/** Direct push to base, only where tests or checks protect it from a bad change. */
function runPatchRoute(input: DecisionInput): Action {
  const { snapshot, policy } = input;
  const obstacle = patchObstacle(snapshot, policy);
  if (obstacle !== null) return { kind: 'effect', effect: { kind: 'use-pull', why: obstacle }, because: obstacle };
  if (stateOf(snapshot).progress.ready !== null) return runOrHalt(input, 'code', 'the work is ready to land');
  return runOrHalt(input, 'code', `route is patch (size ${sizeOf(snapshot) ?? 'unset'}) and nothing has landed yet`);
}

/** No new pull request while the limit of open ones is reached. */
function waitForOpenPulls({ snapshot, policy, now }: DecisionInput): Action | null {
  const { openPulls, pull } = snapshot;
  if (pull?.state === 'open' || openPulls < policy.maxOpenPulls) return null;
  const open = openPulls === 1 ? '1 pull request of Sluice is' : `${openPulls} pull requests of Sluice are`;
  const because = `${open} open in this repository, and no more than ${policy.maxOpenPulls} may be`;
  return { kind: 'wait', on: 'hold', hold: 'open-pulls', until: now + CROWDED_MS, because };
}

function runPullRoute(input: DecisionInput, depth: ReviewDepth): Action {
  const { snapshot } = input;
  const { pushed, fix, wip, ready } = stateOf(snapshot).progress;
  const pull = currentPull(snapshot);
  if (fix !== null) return runOrHalt(input, 'code', `${fix.source} asked for changes`);
  if (wip !== null) return runOrHalt(input, 'code', `${shortOid(wip)} is unfinished work`);
  if (ready !== null) return runOrHalt(input, 'code', `${shortOid(ready.commit)} is ready and not pushed yet`);
  // A branch is usually deleted after its pull request ended. That is not lost work.
  const isLost = snapshot.workHead === null && (pull === null || pull.state === 'open');
  if (pushed === null || isLost) {
    return waitForOpenPulls(input) ?? runOrHalt(input, 'code', 'there is no pushed work yet');
  }
  if (pull === null) {
    if (snapshot.foreignPull !== null) {
      const because = `#${snapshot.foreignPull} goes from the work branch to ${snapshot.base.ref}, and Sluice did not open it`;
      return haltAction('needs-human', 'pull-foreign', because);
    }
    // Checked again here, because several issues may have started while there was room for one.
    return (
      waitForOpenPulls(input) ?? {
        kind: 'effect',
        effect: { kind: 'open-pr', head: pushed.head },
        because: `${shortOid(pushed.head)} is pushed and has no pull request`,
      }
    );
  }
  if (pull.state === 'closed')
    return haltAction('needs-human', 'pr-closed', `pull request #${pull.number} was closed unmerged`);
  return decidePull(input, pull, depth);
}

function verifyLanded(input: DecisionInput): Action {
  const { snapshot, policy } = input;
  const { counters } = stateOf(snapshot);
  const oid = landedCommit(snapshot)?.oid ?? '';
  const verification = verificationOf(snapshot, oid);
  if (verification === null) return runOrHalt(input, 'verify', `${shortOid(oid)} landed and is not verified`);
  const failed = verification.results.filter((result) => result.verdict === 'FAIL');
  if (failed.length > 0) {
    const because = `${failed.map((result) => result.id).join(', ')} failed on ${shortOid(oid)}`;
    if (counters.verifyIterations >= policy.maxVerifyIterations) return haltAction('failed', 'verify-failed', because);
    return fixAction(
      { source: 'verify', head: null, items: failed.map((result) => `${result.id}: ${visibleText(result.evidence)}`) },
      because,
    );
  }
  const open = verification.results.filter((result) => result.verdict === 'UNCERTAIN');
  if (open.length > 0)
    return haltAction('needs-human', 'criteria-manual', `${open.map((result) => result.id).join(', ')} need a person`);
  return { kind: 'effect', effect: { kind: 'finish' }, because: `every criterion passes on ${shortOid(oid)}` };
}
