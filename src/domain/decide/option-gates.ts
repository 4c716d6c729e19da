import type { Action } from '../action/action.js';
import { stateOf } from '../state/evidence.js';
import { NO_OPTIONS } from '../issue/options.js';
import { isBeyond, type Phase } from '../issue/phase.js';
import type { Policy } from '../limits/policy.js';
import type { IssueSnapshot } from '../state/snapshot.js';

/** Options of the run or the repository that take precedence over the next step. */
export function applyOptionGates(snapshot: IssueSnapshot, policy: Policy, phase: Phase): Action | null {
  const { base: wanted, stopAt } = stateOf(snapshot).run?.options ?? NO_OPTIONS;
  if (phase === 'done') return null;
  if (wanted === undefined && policy.base !== null && policy.base !== snapshot.base.ref) {
    const because = `the repository wants work on ${policy.base}`;
    return { kind: 'effect', effect: { kind: 'use-base', base: policy.base }, because };
  }
  // When a branch is missing, the snapshot shows the default branch. Never work on that instead.
  if (wanted !== undefined && snapshot.base.ref !== wanted)
    return { kind: 'halt', state: 'needs-human', code: 'base-missing', because: `there is no branch ${wanted}` };
  if (policy.workflowsDiffer && snapshot.workHead === null && isBeyond('review', phase)) {
    const because = `\`.github/workflows\` on ${snapshot.base.ref} is not what it is on the default branch`;
    return { kind: 'halt', state: 'needs-human', code: 'workflows-differ', because };
  }
  if (stopAt === undefined || !isBeyond(phase, stopAt)) return null;
  const because = `${phase} is next, and the run was to stop at ${stopAt}`;
  return { kind: 'halt', state: 'paused', code: 'stopped-at', because };
}
