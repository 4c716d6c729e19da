import { z } from 'zod';
import type { Context } from '../../http/context.js';
import { type PageQuery, pageQuery, paginate } from '../../http/pagination.js';
import { ok } from '../../http/reply.js';
import { fullName } from '../../world/lookup.js';
import type { CheckRun, CheckSuite, Oid, Repository } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import { runJson, suiteJson } from './check-json.js';
import { latestRuns } from './required.js';

export const runsQuery = z.object({
  ...pageQuery,
  check_name: z.string().optional(),
  status: z.enum(['queued', 'in_progress', 'completed']).optional(),
  filter: z.enum(['latest', 'all']).optional(),
  app_id: z.coerce.number().int().optional(),
});
type RunsQuery = z.infer<typeof runsQuery>;

/** Runs in GitHub's order, newest first, as a list route answers them. */
export function runsReply(context: Context, runs: readonly CheckRun[], query: RunsQuery, path: string) {
  const wanted = runs
    .filter(
      (run) =>
        (query.check_name === undefined || run.name === query.check_name) &&
        (query.status === undefined || run.status === query.status) &&
        (query.app_id === undefined || run.appId === query.app_id),
    )
    .toReversed();
  const page = paginate(wanted, query, context, path, { ...query, per_page: undefined, page: undefined });
  return {
    ...ok({ total_count: wanted.length, check_runs: page.rows.map((run) => runJson(context, run)) }),
    headers: page.headers,
  };
}

/** Runs on a commit, oldest first: all, or of each name the newest. */
export function runsAt(db: Tables, repository: Repository, oid: Oid, filter: RunsQuery['filter']): CheckRun[] {
  if (filter !== 'all') return latestRuns(db, repository, oid);
  return db.checkRuns.by('headOid', oid).filter((run) => run.repositoryId === repository.id);
}

export interface SuiteFilter {
  readonly appId?: number | null | undefined;
  /** Only suites with a run of this name. */
  readonly checkName?: string | null | undefined;
}

export function suitesAt(
  db: Tables,
  repository: Repository,
  oid: Oid,
  { appId, checkName }: SuiteFilter,
): CheckSuite[] {
  const named = (suite: CheckSuite) => db.checkRuns.by('suiteId', suite.id).some((run) => run.name === checkName);
  return db.checkSuites
    .by('headOid', oid)
    .filter(
      (suite) =>
        suite.repositoryId === repository.id &&
        (appId == null || suite.appId === appId) &&
        (checkName == null || named(suite)),
    );
}

export async function suitesReply(
  context: Context,
  repository: Repository,
  oid: Oid,
  filter: SuiteFilter,
  query: PageQuery,
) {
  const suites = suitesAt(context.db, repository, oid, filter);
  const path = `/repos/${fullName(context.db, repository)}/commits/${oid}/check-suites`;
  const page = paginate(suites, query, context, path, { app_id: filter.appId, check_name: filter.checkName });
  const check_suites = await Promise.all(page.rows.map((suite) => suiteJson(context, suite)));
  return { ...ok({ total_count: suites.length, check_suites }), headers: page.headers };
}
