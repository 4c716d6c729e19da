import type { CheckFacts } from '../../../domain/state/snapshot.js';
import { visibleText } from '../../../domain/sanitise/neutralise.js';
import { type RequiredCheck, requiredChecks } from './branch-rules.js';
import type { CheckContextFacts, PullRequestFacts } from './facts.js';

type Outcome = CheckFacts['outcome'];

/** Conclusions that count as passed; all others need somebody to act. */
const PASSED = new Set(['SUCCESS', 'NEUTRAL', 'SKIPPED']);
const UNFINISHED = new Set(['PENDING', 'EXPECTED']);

export const outcomeOfState = (state: string): Outcome => {
  if (UNFINISHED.has(state)) return 'pending';
  return state === 'SUCCESS' ? 'green' : 'red';
};

/** Every check on the head, and required ones that were not reported yet: a missing check is not a success. */
export function checksOf({ statusCheckRollup, baseRef }: PullRequestFacts): readonly CheckFacts[] {
  const wanted = baseRef == null ? [] : requiredChecks(baseRef);
  const contexts = (statusCheckRollup?.contexts.nodes ?? []).filter((context) => context !== null);
  const reported = contexts.map((context) => reportedCheck(context, wanted));
  const missing = wanted.filter((check) => !reported.some((one) => isMeant(check, one)));
  const names = [...new Set(missing.map(({ name }) => name))];
  return [...reported, ...names.map(expectedCheck), ...beyondThePage(statusCheckRollup)];
}

function reportedCheck(context: CheckContextFacts, wanted: readonly RequiredCheck[]): CheckFacts {
  const check = context.type === 'CheckRun' ? checkRun(context) : status(context);
  return { ...check, required: wanted.some((one) => isMeant(one, check)) };
}

function checkRun(run: Extract<CheckContextFacts, { type: 'CheckRun' }>): Omit<CheckFacts, 'required'> {
  const ended = PASSED.has(run.conclusion ?? '') ? 'green' : 'red';
  return {
    name: run.name,
    outcome: run.status === 'COMPLETED' ? ended : 'pending',
    appId: run.checkSuite.app?.databaseId ?? null,
    summary: [run.title, run.summary]
      .map((text) => visibleText(text ?? ''))
      .filter((text) => text !== '')
      .join('\n\n'),
  };
}

function status(one: Extract<CheckContextFacts, { type: 'StatusContext' }>): Omit<CheckFacts, 'required'> {
  return {
    name: one.context,
    outcome: outcomeOfState(one.state),
    appId: null,
    summary: visibleText(one.description ?? ''),
  };
}

const isMeant = (wanted: RequiredCheck, check: Pick<CheckFacts, 'name' | 'appId'>): boolean =>
  wanted.name === check.name && (wanted.appId === null || wanted.appId === check.appId);

const expectedCheck = (name: string): CheckFacts => ({
  name,
  outcome: 'pending',
  required: true,
  appId: null,
  summary: 'Required by the base branch and not reported yet.',
});

/** GitHub sends at most a hundred checks; of the rest only the combined state is known. */
function beyondThePage(rollup: PullRequestFacts['statusCheckRollup']): readonly CheckFacts[] {
  if (rollup?.contexts.pageInfo.hasNextPage !== true) return [];
  const summary = 'There are more checks than GitHub lists at once; this is the state of all of them together.';
  return [{ name: 'all checks', outcome: outcomeOfState(rollup.state), required: false, appId: null, summary }];
}
