import type { CommitNode } from '../../graphql/commit-node.js';
import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { repositoryOf } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { demand } from '../../identity/access.js';
import { findRef, fullName, isFromFork } from '../../world/lookup.js';
import type { CheckAnnotation, CheckRun, CheckSuite } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime, isoTimeOrNull } from '../../world/time.js';
import { annotationJson, detailsUrl, runPage } from './check-json.js';
import { runsAt, type SuiteFilter, suitesAt } from './check-lists.js';
import { checkMutations } from './check-mutations.js';
import { isRequiredRun } from './required.js';
import { type PullReference, rulesForPull } from './required-for-pull.js';

interface RunFilter {
  readonly appId?: number | null;
  readonly checkName?: string | null;
  readonly checkType?: 'ALL' | 'LATEST' | null;
  readonly conclusions?: readonly string[] | null;
  readonly status?: string | null;
  readonly statuses?: readonly string[] | null;
}

function runsOf(suite: CheckSuite, { db }: Context, filter: RunFilter): CheckRun[] {
  const all = runsAt(
    db,
    db.repositories.must(suite.repositoryId),
    suite.headOid,
    filter.checkType === 'LATEST' ? 'latest' : 'all',
  );
  return all.filter(
    (run) =>
      run.suiteId === suite.id &&
      (filter.appId == null || run.appId === filter.appId) &&
      (filter.checkName == null || run.name === filter.checkName) &&
      (filter.status == null || run.status.toUpperCase() === filter.status) &&
      (filter.statuses == null || filter.statuses.includes(run.status.toUpperCase())) &&
      (filter.conclusions == null || filter.conclusions.includes(run.conclusion?.toUpperCase() ?? '')),
  );
}

const pathOf = (url: string): string => new URL(url).pathname;

const checkRun = {
  id: (run: CheckRun) => formatNodeId('checkRuns', run.id),
  databaseId: (run: CheckRun) => run.id,
  name: (run: CheckRun) => run.name,
  status: (run: CheckRun) => run.status.toUpperCase(),
  conclusion: (run: CheckRun) => run.conclusion?.toUpperCase() ?? null,
  detailsUrl: (run: CheckRun, _: unknown, context: Context) => detailsUrl(context, run),
  externalId: (run: CheckRun) => run.externalId,
  title: (run: CheckRun) => run.title,
  summary: (run: CheckRun) => run.summary,
  text: (run: CheckRun) => run.text,
  startedAt: (run: CheckRun) => isoTimeOrNull(run.startedAt),
  completedAt: (run: CheckRun) => isoTimeOrNull(run.completedAt),
  url: (run: CheckRun, _: unknown, context: Context) => runPage(context, run),
  permalink: (run: CheckRun, _: unknown, context: Context) => runPage(context, run),
  resourcePath: (run: CheckRun, _: unknown, context: Context) => pathOf(runPage(context, run)),
  repository: (run: CheckRun, _: unknown, context: Context) => repositoryOf(context, run),
  checkSuite: (run: CheckRun, _: unknown, { db }: Context) => db.checkSuites.must(run.suiteId),
  isRequired: (run: CheckRun, reference: PullReference, context: Context) =>
    isRequiredRun(rulesForPull(context, repositoryOf(context, run), reference), run),
  annotations: (run: CheckRun, args: ConnectionArgs) =>
    connection(
      run.annotations.map((annotation) => ({ run, annotation })),
      args,
    ),
};

const suitePage = (suite: CheckSuite, { db, urls }: Context): string =>
  `${urls.html}/${fullName(db, db.repositories.must(suite.repositoryId))}/commit/${suite.headOid}/checks?check_suite_id=${suite.id}`;

const checkSuite = {
  id: (suite: CheckSuite) => formatNodeId('checkSuites', suite.id),
  databaseId: (suite: CheckSuite) => suite.id,
  app: (suite: CheckSuite, _: unknown, { db }: Context) => db.apps.must(suite.appId),
  status: (suite: CheckSuite) => suite.status.toUpperCase(),
  conclusion: (suite: CheckSuite) => suite.conclusion?.toUpperCase() ?? null,
  createdAt: (suite: CheckSuite) => isoTime(suite.createdAt),
  updatedAt: (suite: CheckSuite) => isoTime(suite.updatedAt),
  url: (suite: CheckSuite, _: unknown, context: Context) => suitePage(suite, context),
  resourcePath: (suite: CheckSuite, _: unknown, context: Context) => pathOf(suitePage(suite, context)),
  repository: (suite: CheckSuite, _: unknown, context: Context) => repositoryOf(context, suite),
  commit: ({ repositoryId, headOid }: CheckSuite): CommitNode => ({ repositoryId, oid: headOid }),
  branch: ({ repositoryId, headBranch }: CheckSuite, _: unknown, { db }: Context) =>
    headBranch === null ? null : (findRef(db, repositoryId, `refs/heads/${headBranch}`) ?? null),
  // Only GitHub Actions has workflow runs, and its suites are not modelled.
  workflowRun: () => null,
  checkRuns: (suite: CheckSuite, args: ConnectionArgs & { filterBy?: RunFilter | null }, context: Context) =>
    connection(runsOf(suite, context, args.filterBy ?? {}), args),
  matchingPullRequests: ({ repositoryId, headOid }: CheckSuite, args: ConnectionArgs, { db }: Context) => {
    const pulls = db.pulls
      .by('headOid', headOid)
      .filter((pull) => pull.repositoryId === repositoryId && !isFromFork(pull));
    return connection(
      pulls.filter((pull) => db.issues.must(pull.issueId).state === 'open'),
      args,
    );
  },
};

interface RunAnnotation {
  readonly run: CheckRun;
  readonly annotation: CheckAnnotation;
}

interface Position {
  readonly line: number;
  readonly column: number | null;
}

const checkAnnotation = {
  path: ({ annotation }: RunAnnotation) => annotation.path,
  message: ({ annotation }: RunAnnotation) => annotation.message,
  title: ({ annotation }: RunAnnotation) => annotation.title,
  rawDetails: ({ annotation }: RunAnnotation) => annotation.rawDetails,
  annotationLevel: ({ annotation }: RunAnnotation) => annotation.level.toUpperCase(),
  blobUrl: ({ run, annotation }: RunAnnotation, _: unknown, context: Context) =>
    annotationJson(context, run, annotation).blob_href,
  location: ({ annotation }: RunAnnotation) => annotation,
};

export const checkResolvers: ResolverMap = {
  CheckRun: checkRun,
  CheckSuite: checkSuite,
  CheckAnnotation: checkAnnotation,
  CheckAnnotationSpan: {
    start: ({ startLine, startColumn }: CheckAnnotation): Position => ({ line: startLine, column: startColumn }),
    end: ({ endLine, endColumn }: CheckAnnotation): Position => ({ line: endLine, column: endColumn }),
  },
  CheckAnnotationPosition: {
    line: ({ line }: Position) => line,
    column: ({ column }: Position) => column,
  },
  Commit: {
    checkSuites: (commit: CommitNode, args: ConnectionArgs & { filterBy?: SuiteFilter | null }, context: Context) => {
      const repository = repositoryOf(context, commit);
      demand(context.db, context.viewer, repository, { app: 'checks:read', role: 'read' });
      return connection(suitesAt(context.db, repository, commit.oid, args.filterBy ?? {}), args);
    },
  },
  Mutation: checkMutations,
};
