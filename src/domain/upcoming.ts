import type { Action } from './action.js';
import { askedFor } from './asked-for.js';
import {
  currentPull,
  isDone,
  isPullUnread,
  landedCommit,
  placeOf,
  routeFor,
  sizeOf,
  stateOf,
  verificationOf,
} from './completion.js';
import { decidePull } from './decide-pull.js';
import { crashPause, UNKNOWN_OWNER, waitForOwner } from './lease-owner.js';
import { halt, type Look, requestFix, run, short, wait } from './look.js';
import { patchObstacle } from './patch-guard.js';
import type { Hold } from './policy.js';
import type { ReviewDepth } from './route.js';
import { silent } from './silence.js';

/* What comes next for an issue, whatever GitHub shows of it so far. Both the decision and the status comment are made of this. */

/** What comes next once GitHub shows how things stand. The status comment tells it, so it does not depend on what GitHub shows. */
export function upcoming(look: Look): Action {
  return leased(look) ?? wished(look) ?? noted(look) ?? held(look) ?? next(look);
}

export function leased({ snapshot, policy, now }: Look): Action | null {
  return waitForOwner(stateOf(snapshot).lease, policy.owner ?? UNKNOWN_OWNER, now);
}

/** What a person asked for while a phase ran, now that none does. */
export function wished({ snapshot }: Look): Action | null {
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
export function noted(look: Look): Action | null {
  const { snapshot } = look;
  if (stateOf(snapshot).halt !== null || isDone(snapshot)) return null;
  const action = next(look);
  if (action.kind === 'halt') return action;
  return action.kind === 'effect' && action.effect.kind !== 'merge' ? action : null;
}

export function held({ snapshot, policy, now }: Look): Action | null {
  const { startsAt = 0, batch = null } = stateOf(snapshot).run ?? {};
  if (batch !== null && batch.after !== null) {
    const because = `#${batch.after} comes before it in its batch`;
    return { kind: 'wait', on: 'hold', hold: 'batch', until: now + CROWDED_MS, because };
  }
  if (startsAt > now) {
    const because = 'other issues were asked for first, and only so many may start in an hour';
    return { kind: 'wait', on: 'hold', hold: 'line', until: startsAt, because };
  }
  const pause = crashPause(stateOf(snapshot), policy.owner ?? UNKNOWN_OWNER, now);
  if (pause !== null) return { kind: 'wait', on: 'hold', hold: 'crashes', ...pause };
  const hold = lastToEnd(policy.holds);
  if (hold === null) return null;
  const { on, until, because } = hold;
  return { kind: 'wait', on: 'hold', hold: on, ...(until === null ? {} : { until }), because };
}

/** Of several holds the one that lasts longest says when there is something to do again. */
function lastToEnd(holds: readonly Hold[]): Hold | null {
  const endOf = ({ until }: Hold): number => until ?? Number.POSITIVE_INFINITY;
  return holds.reduce<Hold | null>((last, hold) => (last === null || endOf(hold) > endOf(last) ? hold : last), null);
}

/** What the first phase whose evidence is missing needs. */
export function next(look: Look): Action {
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
      if (isPullUnread(snapshot)) return silent(look, 'pull', stateOf(snapshot).progress.pushed?.head ?? NO_COMMIT);
      if (route.kind === 'graph') return halt('needs-human', 'xl-unsupported', 'the issue is size XL');
      if (route.kind === 'pr') return throughPull(look, route.depth);
      return patched(look);
  }
}

/** Stands for the pushed commit where none is known any more. */
const NO_COMMIT = '0'.repeat(40);

/** Straight to base: only where something keeps a bad change away from it. */
function patched(look: Look): Action {
  const { snapshot, policy } = look;
  const obstacle = patchObstacle(snapshot, policy);
  if (obstacle !== null) return { kind: 'effect', effect: { kind: 'use-pull', why: obstacle }, because: obstacle };
  if (stateOf(snapshot).progress.ready !== null) return run(look, 'code', 'the work is ready to land');
  return run(look, 'code', `route is patch (size ${sizeOf(snapshot) ?? 'unset'}) and nothing has landed yet`);
}

/** How soon to look whether there is room by now, or a turn; an event usually says so before. */
const CROWDED_MS = 10 * 60_000;

/** No new pull request while as many as there may be are open. */
function crowded({ snapshot, policy, now }: Look): Action | null {
  const { openPulls, pull } = snapshot;
  if (pull?.state === 'open' || openPulls < policy.maxOpenPulls) return null;
  const open = openPulls === 1 ? '1 pull request of Sluice is' : `${openPulls} pull requests of Sluice are`;
  const because = `${open} open in this repository, and no more than ${policy.maxOpenPulls} may be`;
  return { kind: 'wait', on: 'hold', hold: 'open-pulls', until: now + CROWDED_MS, because };
}

function throughPull(look: Look, depth: ReviewDepth): Action {
  const { snapshot } = look;
  const { pushed, fix, wip, ready } = stateOf(snapshot).progress;
  const pull = currentPull(snapshot);
  if (fix !== null) return run(look, 'code', `${fix.source} asked for changes`);
  if (wip !== null) return run(look, 'code', `${short(wip)} is unfinished work`);
  if (ready !== null) return run(look, 'code', `${short(ready.commit)} is ready and not pushed yet`);
  // With a pull request that has ended the branch is usually gone, and nothing has to be written for that.
  const isLost = snapshot.workHead === null && (pull === null || pull.state === 'open');
  if (pushed === null || isLost) {
    return crowded(look) ?? run(look, 'code', 'there is no pushed work yet');
  }
  if (pull === null) {
    if (snapshot.foreignPull !== null) {
      const because = `#${snapshot.foreignPull} goes from the work branch to ${snapshot.base.ref}, and Sluice did not open it`;
      return halt('needs-human', 'pull-foreign', because);
    }
    // Several may have begun while there was room for one of them.
    return (
      crowded(look) ?? {
        kind: 'effect',
        effect: { kind: 'open-pr', head: pushed.head },
        because: `${short(pushed.head)} is pushed and has no pull request`,
      }
    );
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
