import { hasPermission } from '../../identity/access.js';
import type { App, CheckConclusion, CheckRun, CheckStatus, CheckSuite, Oid, Repository } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { Actor, Reaction, World } from '../../world/world.js';
import { latestRuns } from './required.js';

/** GitHub's priority: of all conclusions in a suite the first of these is the suite's own. */
const BY_PRIORITY: readonly CheckConclusion[] = [
  'action_required',
  'startup_failure',
  'cancelled',
  'timed_out',
  'failure',
  'stale',
  'neutral',
  'success',
  'skipped',
];

export function findSuite(db: Tables, repository: Repository, appId: number, oid: Oid): CheckSuite | undefined {
  return db.checkSuites
    .by('headOid', oid)
    .find((suite) => suite.repositoryId === repository.id && suite.appId === appId);
}

/** The App's suite on a commit; each App has one per commit. */
export function ensureSuite(
  world: World,
  repository: Repository,
  app: App,
  head: { readonly oid: Oid; readonly branch?: string; readonly before?: Oid | null },
): CheckSuite {
  const known = findSuite(world.tables, repository, app.id, head.oid);
  if (known !== undefined) return known;
  const now = world.now();
  return world.tables.checkSuites.insert({
    id: world.newId(),
    repositoryId: repository.id,
    appId: app.id,
    headOid: head.oid,
    headBranch: head.branch ?? branchAt(world.tables, repository, head.oid),
    beforeOid: head.before ?? null,
    status: 'queued',
    conclusion: null,
    createdAt: now,
    updatedAt: now,
  });
}

function branchAt(db: Tables, repository: Repository, oid: Oid): string | null {
  const tip = db.refs
    .by('oid', oid)
    .find((ref) => ref.repositoryId === repository.id && ref.name.startsWith('refs/heads/'));
  return tip?.name.slice('refs/heads/'.length) ?? null;
}

/** Makes an App's suite as if by a push, and asks the App to check the commit. */
export async function requestSuite(
  world: World,
  actor: Actor,
  repository: Repository,
  app: App,
  head: Parameters<typeof ensureSuite>[3],
): Promise<CheckSuite> {
  const known = findSuite(world.tables, repository, app.id, head.oid);
  if (known !== undefined) return known;
  const suite = ensureSuite(world, repository, app, head);
  await world.record(actor, 'check suite requested', { repositoryId: repository.id }, { suiteId: suite.id });
  return suite;
}

/** Asks the App to check the commit again. Its runs stay as they are until it does. */
export async function rerequestSuite(world: World, actor: Actor, suite: CheckSuite): Promise<CheckSuite> {
  const next = reset(world, suite);
  await world.record(actor, 'check suite rerequested', { repositoryId: suite.repositoryId }, { suiteId: suite.id });
  return next;
}

/** Asks the App to do one run again. */
export async function rerequestRun(world: World, actor: Actor, run: CheckRun): Promise<void> {
  const suite = world.tables.checkSuites.must(run.suiteId);
  const { conclusion } = suite;
  reset(world, suite);
  await world.record(actor, 'check run rerequested', { repositoryId: run.repositoryId }, { runId: run.id, conclusion });
}

function reset(world: World, suite: CheckSuite): CheckSuite {
  return world.tables.checkSuites.update(suite, { status: 'queued', conclusion: null, updatedAt: world.now() });
}

/** Brings a suite in line with its runs after one of them changed. */
export async function settleSuite(world: World, actor: Actor, suiteId: number): Promise<void> {
  const suite = world.tables.checkSuites.must(suiteId);
  const repository = world.tables.repositories.must(suite.repositoryId);
  const runs = latestRuns(world.tables, repository, suite.headOid).filter((run) => run.suiteId === suiteId);
  const status = statusOf(runs);
  const conclusion = status === 'completed' ? conclusionOf(runs) : null;
  if (status === suite.status && conclusion === suite.conclusion) return;
  world.tables.checkSuites.update(suite, { status, conclusion, updatedAt: world.now() });
  if (status === 'completed')
    await world.record(actor, 'check suite completed', { repositoryId: repository.id }, { suiteId });
}

function statusOf(runs: readonly CheckRun[]): CheckStatus {
  if (runs.length > 0 && runs.every((run) => run.status === 'completed')) return 'completed';
  return runs.every((run) => run.status === 'queued') ? 'queued' : 'in_progress';
}

function conclusionOf(runs: readonly CheckRun[]): CheckConclusion {
  return BY_PRIORITY.find((conclusion) => runs.some((run) => run.conclusion === conclusion)) ?? 'neutral';
}

/** Every App that may write checks is asked about every head pushed to a branch. */
export const requestSuitesOnPush: Reaction = async (world, event) => {
  if (event.name !== 'pushed' || event.repositoryId === null) return;
  const { ref, before, after } = event.data;
  if (after === null || !ref.startsWith('refs/heads/')) return;
  const repository = world.tables.repositories.must(event.repositoryId);
  const actor = { userId: event.actorId, viaAppId: event.viaAppId };
  for (const app of checkingApps(world.tables, repository)) {
    await requestSuite(world, actor, repository, app, { oid: after, branch: ref.slice('refs/heads/'.length), before });
  }
};

function checkingApps(db: Tables, repository: Repository): App[] {
  return db.installations
    .by('accountId', repository.ownerId)
    .filter(
      ({ repositoryIds, permissions, suspendedAt }) =>
        suspendedAt === null &&
        hasPermission(permissions, 'checks:write') &&
        (repositoryIds === 'all' || repositoryIds.includes(repository.id)),
    )
    .map(({ appId }) => db.apps.must(appId));
}
