import type { Action } from './action.js';
import { askedFor } from './asked-for.js';
import { currentPull, isDone, landedCommit, placeOf, routeFor, sizeOf, stateOf, verificationOf } from './completion.js';
import { decidePull } from './decide-pull.js';
import { crashPause, UNKNOWN_OWNER, waitForOwner } from './lease-owner.js';
import { halt, type Look, requestFix, run, short, wait } from './look.js';
import type { Policy } from './policy.js';
import { patchObstacle } from './patch-guard.js';
import { projectionChanges } from './projection.js';
import type { ReviewDepth } from './route.js';
import type { IssueSnapshot } from './snapshot.js';
import type { Instant } from './state.js';

/**
 * The next step for an issue. Pure: the same facts give the same answer, whoever asks: a webhook, the sweep, a finished job
 * or `sluice explain`.
 */
export function decide(snapshot: IssueSnapshot, policy: Policy, now: Instant): Action {
  const look: Look = { snapshot, policy, now };
  return atRest(look) ?? leased(look) ?? wished(look) ?? noted(look) ?? shown(look) ?? held(look) ?? next(look);
}

/**
 * The same for whoever is about to land what a phase run of theirs has made, which is done while this says `run code`: their own lease
 * is no reason to wait, and what GitHub shows can be put right afterwards.
 */
export function decideLanding(snapshot: IssueSnapshot, policy: Policy, now: Instant, phaseRun: string): Action {
  const look: Look = { snapshot, policy, now };
  if (snapshot.state === 'closed') return halt('paused', 'issue-closed', 'the issue was closed before the work landed');
  const { halt: halted, lease, counters } = stateOf(snapshot);
  if (halted !== null) return wait('rest', `stopped (${halted.state}): ${halted.because}`);
  const foreign = lease?.phaseRun === phaseRun ? null : leased(look);
  const place = placeOf(snapshot);
  const stopped = policy.holds.find(({ on }) => on === 'kill-switch');
  const before = atRest(look) ?? foreign ?? wished(look) ?? askedFor(snapshot, policy, place);
  if (before === null && stopped !== undefined) return wait('hold', stopped.because);
  if (before !== null || place !== 'code') return before ?? next(look);
  // Its bounds were looked at before it began; work that is done is not thrown away for them.
  return { kind: 'run', phase: 'code', attempt: counters.failures, because: 'the work has not landed yet' };
}

/** Reasons to leave the issue alone. */
function atRest({ snapshot, policy }: Look): Action | null {
  if (snapshot.reading.kind === 'unverifiable') {
    return wait(
      'rest',
      `the state ref cannot be trusted (${snapshot.reading.why}); a permitted person's /auto starts afresh`,
    );
  }
  const { run, halt } = stateOf(snapshot);
  if (run === null) return wait('not-driven', 'nobody asked Sluice to drive this issue');
  // An end that people cannot see yet is not the end.
  if (projectionChanges(snapshot, policy).length > 0) return null;
  if (isDone(snapshot)) return wait('rest', 'landed and verified');
  return halt === null ? null : wait('rest', `stopped (${halt.state}): ${halt.because}`);
}

function leased({ snapshot, policy, now }: Look): Action | null {
  return waitForOwner(stateOf(snapshot).lease, policy.owner ?? UNKNOWN_OWNER, now);
}

/** What a person asked for while a phase ran, now that none does. */
function wished({ snapshot }: Look): Action | null {
  const { wish, halt: halted } = stateOf(snapshot);
  if (wish === null || halted !== null || isDone(snapshot)) return null;
  switch (wish.kind) {
    case 'stop':
      return halt('paused', 'stopped', wish.because);
    case 'pause':
      return halt('paused', 'paused', `${wish.by} asked to pause`);
    case 'go-to':
      return {
        kind: 'effect',
        effect: { kind: 'go-to', phase: wish.phase },
        because: `${wish.by} set phase/${wish.phase}`,
      };
  }
}

/** What only has to be written down is written down first, and the pull request opened: one showing then tells it all. */
function noted(look: Look): Action | null {
  const { snapshot } = look;
  if (stateOf(snapshot).halt !== null || isDone(snapshot)) return null;
  const action = next(look);
  if (action.kind === 'halt') return action;
  return action.kind === 'effect' && action.effect.kind !== 'merge' ? action : null;
}

/** Before a model runs or anything is merged, GitHub has to show what has been done. */
function shown({ snapshot, policy }: Look): Action | null {
  const changes = projectionChanges(snapshot, policy);
  if (changes.length === 0) return null;
  const what = [...new Set(changes.map((change) => change.kind))].join(', ');
  return {
    kind: 'effect',
    effect: { kind: 'project', changes },
    because: `GitHub does not show the state yet: ${what}`,
  };
}

function held({ snapshot, policy, now }: Look): Action | null {
  const startsAt = stateOf(snapshot).run?.startsAt ?? 0;
  if (startsAt > now) {
    const because = 'other issues were asked for first, and only so many may start in an hour';
    return { kind: 'wait', on: 'hold', until: startsAt, because };
  }
  const pause = crashPause(stateOf(snapshot), policy.owner ?? UNKNOWN_OWNER, now);
  if (pause !== null) return { kind: 'wait', on: 'hold', ...pause };
  const [hold] = policy.holds;
  if (hold === undefined) return null;
  return { kind: 'wait', on: 'hold', ...(hold.until === null ? {} : { until: hold.until }), because: hold.because };
}

/** What the first phase whose evidence is missing needs. */
function next(look: Look): Action {
  const { snapshot, policy } = look;
  const route = routeFor(snapshot);
  const place = placeOf(snapshot);
  const asked = askedFor(snapshot, policy, place);
  if (asked !== null) return asked;
  switch (place) {
    case 'done':
      return wait('rest', 'landed and verified');
    case 'issue':
      return run(look, 'issue', 'size and acceptance criteria are not known yet');
    case 'spec':
      return run(look, 'spec', 'there is no spec for the current criteria');
    case 'verify':
      return verified(look);
    case 'code':
    case 'review':
    case 'merge':
      if (route.kind === 'graph') return halt('needs-human', 'xl-unsupported', 'the issue is size XL');
      if (route.kind === 'pr') return throughPull(look, route.depth);
      return patched(look);
  }
}

/** Straight to base: only where something keeps a bad change away from it. */
function patched(look: Look): Action {
  const { snapshot, policy } = look;
  const obstacle = patchObstacle(snapshot, policy);
  if (obstacle !== null) return { kind: 'effect', effect: { kind: 'use-pull', why: obstacle }, because: obstacle };
  if (stateOf(snapshot).progress.ready !== null) return run(look, 'code', 'the work is ready to land');
  return run(look, 'code', `route is patch (size ${sizeOf(snapshot) ?? 'unset'}) and nothing has landed yet`);
}

/** How soon to look whether a pull request has been merged or closed; an event usually says so before. */
const CROWDED_MS = 10 * 60_000;

function throughPull(look: Look, depth: ReviewDepth): Action {
  const { snapshot, policy, now } = look;
  const { pushed, fix, wip, ready } = stateOf(snapshot).progress;
  const pull = currentPull(snapshot);
  if (fix !== null) return run(look, 'code', `${fix.source} asked for changes`);
  if (wip !== null) return run(look, 'code', `${short(wip)} is unfinished work`);
  if (ready !== null) return run(look, 'code', `${short(ready.commit)} is ready and not pushed yet`);
  if (pushed === null || snapshot.workHead === null) {
    if (snapshot.workHead === null && snapshot.workBranches >= policy.maxOpenPulls) {
      const because = `${snapshot.workBranches} pull requests of Sluice are open in this repository, and no more than ${policy.maxOpenPulls} may be`;
      return { kind: 'wait', on: 'hold', until: now + CROWDED_MS, because };
    }
    return run(look, 'code', 'there is no pushed work yet');
  }
  if (pull === null) {
    return {
      kind: 'effect',
      effect: { kind: 'open-pr', head: pushed.head },
      because: `${short(pushed.head)} is pushed and has no pull request`,
    };
  }
  if (pull.state === 'closed')
    return halt('needs-human', 'pr-closed', `pull request #${pull.number} was closed unmerged`);
  return decidePull(look, pull, depth);
}

function verified(look: Look): Action {
  const { snapshot, policy } = look;
  const { counters } = stateOf(snapshot);
  const oid = landedCommit(snapshot)?.oid ?? '';
  const verification = verificationOf(snapshot, oid);
  if (verification === null) return run(look, 'verify', `${short(oid)} landed and is not verified`);
  const failed = verification.results.filter((result) => result.verdict === 'FAIL');
  if (failed.length > 0) {
    const because = `${failed.map((result) => result.id).join(', ')} failed on ${short(oid)}`;
    if (counters.verifyIterations >= policy.maxVerifyIterations) return halt('failed', 'verify-failed', because);
    return requestFix(
      { source: 'verify', head: null, items: failed.map((result) => `${result.id}: ${result.evidence}`) },
      because,
    );
  }
  const open = verification.results.filter((result) => result.verdict === 'UNCERTAIN');
  if (open.length > 0)
    return halt('needs-human', 'criteria-manual', `${open.map((result) => result.id).join(', ')} need a person`);
  return { kind: 'effect', effect: { kind: 'finish' }, because: `every criterion passes on ${short(oid)}` };
}
