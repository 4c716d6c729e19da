import type {
  BranchRules,
  CheckConclusion,
  CheckRun,
  CommitStatus,
  Oid,
  Repository,
  RequiredCheck,
} from '../../world/model.js';
import type { Tables } from '../../world/tables.js';

/** How a required check stands on one commit; `expected` means nobody has reported it yet. */
export type RequiredCheckState = 'success' | 'expected' | 'pending' | 'failing';

const PASSING: ReadonlySet<CheckConclusion | null> = new Set(['success', 'neutral', 'skipped']);

/** How all required checks together stand on a commit. */
export function requiredChecks(
  db: Tables,
  repository: Repository,
  rules: BranchRules,
  oid: Oid,
): 'none' | 'success' | 'pending' | 'failure' {
  if (rules.requiredChecks.length === 0) return 'none';
  const states = rules.requiredChecks.map((check) => requiredCheckState(db, repository, check, oid));
  if (states.includes('failing')) return 'failure';
  return states.every((state) => state === 'success') ? 'success' : 'pending';
}

/** What GitHub says when required checks keep a commit out of a branch; `null` when they do not. */
export function requiredChecksProblem(db: Tables, repository: Repository, rules: BranchRules, oid: Oid): string | null {
  const unmet = rules.requiredChecks
    .map((check) => ({ context: check.context, state: requiredCheckState(db, repository, check, oid) }))
    .filter(({ state }) => state !== 'success');
  const [first] = unmet;
  if (first === undefined) return null;
  const count = `${unmet.length} of ${rules.requiredChecks.length} required status checks`;
  const states = (['expected', 'pending', 'failing'] as const).flatMap((state) => {
    const found = unmet.filter((check) => check.state === state).length;
    return found === 0 ? [] : [`${found} ${state}`];
  });
  if (states.length > 1) return `${count} have not succeeded: ${states.slice(0, -1).join(', ')} and ${states.at(-1)}.`;
  if (unmet.length > 1) return `${count} are ${first.state}.`;
  return `Required status check "${first.context}" is ${first.state}.`;
}

/** Whether these rules name this check run. */
export function isRequiredRun(rules: BranchRules, run: CheckRun): boolean {
  return rules.requiredChecks.some((check) => providesRun(check, run));
}

/** Whether these rules name this commit status. */
export function isRequiredStatus(db: Tables, rules: BranchRules, status: CommitStatus): boolean {
  return rules.requiredChecks.some((check) => providesStatus(db, check, status));
}

/** A check run and a status of the same name are both required; so are runs of the same name from two Apps. */
function requiredCheckState(db: Tables, repository: Repository, check: RequiredCheck, oid: Oid): RequiredCheckState {
  const runs = latestRuns(db, repository, oid).filter((run) => providesRun(check, run));
  const statuses = latestStatuses(db, repository, oid).filter((status) => providesStatus(db, check, status));
  const states = [...runs.map(runState), ...statuses.map(statusState)];
  if (states.length === 0) return 'expected';
  return states.find((state) => state === 'failing') ?? states.find((state) => state === 'pending') ?? 'success';
}

export function runState({ status, conclusion }: CheckRun): RequiredCheckState {
  // GitHub itself marks as stale what never finished: it is waited for again.
  if (status !== 'completed' || conclusion === 'stale') return 'pending';
  return PASSING.has(conclusion) ? 'success' : 'failing';
}

function statusState({ state }: CommitStatus): RequiredCheckState {
  return state === 'success' || state === 'pending' ? state : 'failing';
}

const providesRun = (check: RequiredCheck, run: CheckRun): boolean =>
  check.context === run.name && (check.appId === null || check.appId === run.appId);

const providesStatus = (db: Tables, check: RequiredCheck, status: CommitStatus): boolean =>
  check.context === status.context && (check.appId === null || db.apps.get(check.appId)?.botId === status.creatorId);

/** Of each suite and name only the newest run counts. Oldest first. */
export function latestRuns(db: Tables, repository: Repository, oid: Oid): CheckRun[] {
  const runs = db.checkRuns.by('headOid', oid).filter((run) => run.repositoryId === repository.id);
  return newestPer(runs, (run) => `${run.suiteId} ${run.name}`);
}

/** Of each context only the newest status counts. Oldest first. */
export function latestStatuses(db: Tables, repository: Repository, oid: Oid): CommitStatus[] {
  const statuses = db.statuses.by('oid', oid).filter((status) => status.repositoryId === repository.id);
  return newestPer(statuses, (status) => status.context.toLowerCase());
}

function newestPer<R extends { readonly id: number }>(rows: readonly R[], keyOf: (row: R) => string): R[] {
  const newest = new Map(rows.map((row) => [keyOf(row), row]));
  return rows.filter((row) => newest.get(keyOf(row)) === row);
}
