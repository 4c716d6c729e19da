import { exceededBound } from '../limits/budgets.js';
import { sizeOf, stateOf } from '../state/evidence.js';
import { findBoxes, type Criterion, formatVerify } from '../criteria/criterion.js';
import { crashesIn, MAX_CRASHES } from './lease-wait.js';
import { UNKNOWN_OWNER } from '../state/lease-owner.js';
import { NO_OPTIONS } from '../issue/options.js';
import type { AgentPhase } from '../issue/phase.js';
import type { Policy } from '../limits/policy.js';
import type { IssueSnapshot } from '../state/snapshot.js';
import type { Halt, RunRecord, Triage } from '../state/state.js';

/** Runs in a row without any change after which the run stops. */
const MAX_NO_PROGRESS = 3;
/** Runs in a row that never started. The model account pauses for at most a day, so this many are more than one outage. */
const MAX_NEVER_RAN = 50;

const BOUND_CODES = { budget: 'over-budget', time: 'out-of-time', iterations: 'too-many-runs' } as const;

/** The bound that prevents the next agent run, if one is reached. */
export function findReachedBound(snapshot: IssueSnapshot, policy: Policy, phase: AgentPhase): Halt | null {
  const state = stateOf(snapshot);
  const { counters, run, progress, spentUsd } = state;
  const { failures, noProgress, neverRan, agentRuns, activeMs } = counters;
  if (failures >= policy.maxFailures) return halt('failed', 'phase-failed', `${phase} failed ${failures} times`);
  if (noProgress >= MAX_NO_PROGRESS)
    return halt('failed', 'no-progress', `${phase} left everything as it was ${noProgress} times`);
  const crashes = crashesIn(state, phase, policy.owner ?? UNKNOWN_OWNER);
  if (crashes >= MAX_CRASHES)
    return halt('needs-human', 'service-crashes', `Sluice itself was cut off ${crashes} times while ${phase} ran`);
  if (neverRan >= MAX_NEVER_RAN)
    return halt('needs-human', 'provider-unavailable', `${neverRan} runs in a row never got to start`);
  const scope = { size: sizeOf(snapshot), options: run?.options ?? NO_OPTIONS, config: policy.budgets };
  const used = exceededBound(scope, { spentUsd, activeMs, agentRuns });
  if (used !== null) return halt('paused', BOUND_CODES[used.bound], `${used.because}; \`${used.command}\` raises it`);
  const foreign = unapprovedCriteria(run, progress.triage);
  if (foreign.length > 0 && progress.triage !== null) {
    const commands = foreign.map(({ id }) => id).join(', ');
    const hash = progress.triage.criteriaHash.slice(0, 12);
    return halt(
      'needs-human',
      'commands-unapproved',
      `${commands} come with checks from the issue's text; hash ${hash}`,
    );
  }
  return null;
}

/**
 * Criteria with a check written by somebody without permission: a shell command that appears anywhere in their text, or the content
 * of a box's HTML comment, which is invisible on the page and would reach every agent.
 */
function unapprovedCriteria(run: RunRecord | null, triage: Triage | null): readonly Criterion[] {
  if (run === null || triage === null || run.authorTrusted || run.approvedCriteria === triage.criteriaHash) return [];
  const { title, body } = run.authorised;
  const theirs = squeezed(`${title}\n${body}`);
  const hidden = new Set(
    findBoxes(body).flatMap(({ verify }) =>
      verify === null || verify.kind === 'malformed' ? [] : [formatVerify(verify)],
    ),
  );
  return triage.criteria.filter(
    ({ verify }) =>
      verify !== null &&
      (hidden.has(formatVerify(verify)) || (verify.kind === 'command' && theirs.includes(squeezed(verify.run)))),
  );
}

/** Spaces and quotes are ignored when commands are compared. */
const squeezed = (text: string): string => text.toLowerCase().replaceAll(/[\s"'\\`]+/g, '');

const halt = (state: Halt['state'], code: Halt['code'], because: string): Halt => ({ state, code, because });
