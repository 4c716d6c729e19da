import type { components } from '@octokit/openapi-types';
import type { GitCommit } from '../../git/git-repository.js';
import type { Scope } from '../../http/context.js';
import { fullName, isFromFork } from '../../world/lookup.js';
import type { CheckAnnotation, CheckConclusion, CheckRun, CheckSuite, Oid, Repository } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime, isoTimeOrNull } from '../../world/time.js';
import type { World } from '../../world/world.js';
import { appJson } from '../apps/app-json.js';
import { minimalPullJson } from '../pulls/pull-json.js';
import { shortRepositoryJson } from '../repositories/short-repository-json.js';
import { latestRuns } from './required.js';

/** The published type of a run's conclusion forgets the two that only GitHub itself sets. */
type PublishedConclusion = Exclude<CheckConclusion, 'stale' | 'startup_failure'>;

export function runJson(scope: Scope, run: CheckRun) {
  const { db, urls } = scope;
  const repository = db.repositories.must(run.repositoryId);
  const url = `${urls.api}/repos/${fullName(db, repository)}/check-runs/${run.id}`;
  return {
    id: run.id,
    name: run.name,
    node_id: formatNodeId('checkRuns', run.id),
    head_sha: run.headOid,
    external_id: run.externalId,
    url,
    html_url: runPage(scope, run),
    details_url: detailsUrl(scope, run),
    status: run.status,
    conclusion: run.conclusion as PublishedConclusion | null,
    started_at: isoTimeOrNull(run.startedAt),
    completed_at: isoTimeOrNull(run.completedAt),
    output: {
      title: run.title,
      summary: run.summary,
      text: run.text,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: run.suiteId },
    app: appJson(scope, db.apps.must(run.appId)),
    pull_requests: pullsAt(scope, repository, run.headOid),
  } satisfies components['schemas']['check-run'];
}

/** Where the App shows more; without an address of its own, the App's page. */
export function detailsUrl(scope: Scope, run: CheckRun): string {
  return run.detailsUrl ?? appJson(scope, scope.db.apps.must(run.appId)).external_url;
}

export function runPage({ db, urls }: Scope, run: CheckRun): string {
  return `${urls.html}/${fullName(db, db.repositories.must(run.repositoryId))}/runs/${run.id}`;
}

export function annotationJson({ db, urls }: Scope, run: CheckRun, annotation: CheckAnnotation) {
  const repository = fullName(db, db.repositories.must(run.repositoryId));
  return {
    path: annotation.path,
    blob_href: `${urls.html}/${repository}/blob/${run.headOid}/${annotation.path}`,
    start_line: annotation.startLine,
    end_line: annotation.endLine,
    start_column: annotation.startColumn,
    end_column: annotation.endColumn,
    annotation_level: annotation.level,
    title: annotation.title,
    message: annotation.message,
    raw_details: annotation.rawDetails,
  } satisfies components['schemas']['check-annotation'];
}

/** A suite with its head commit, which is read from git. */
export async function suiteJson(scope: Scope & { readonly world: World }, suite: CheckSuite) {
  const { db, world } = scope;
  const repository = db.repositories.must(suite.repositoryId);
  return {
    ...suiteFacts(scope, suite),
    repository: shortRepositoryJson(scope, repository),
    head_commit: headCommitJson(suite.headOid, await world.git(repository.id).commit(suite.headOid)),
  } satisfies components['schemas']['check-suite'];
}

/** A suite without what it takes a repository or git to show. */
export function suiteFacts(scope: Scope, suite: CheckSuite) {
  const { db, urls } = scope;
  const repository = db.repositories.must(suite.repositoryId);
  const url = `${urls.api}/repos/${fullName(db, repository)}/check-suites/${suite.id}`;
  const runs = latestRuns(db, repository, suite.headOid).filter((run) => run.suiteId === suite.id);
  return {
    id: suite.id,
    node_id: formatNodeId('checkSuites', suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.headOid,
    status: suite.status,
    conclusion: suite.conclusion,
    url,
    before: suite.beforeOid,
    after: suite.headOid,
    pull_requests: pullsAt(scope, repository, suite.headOid),
    app: appJson(scope, db.apps.must(suite.appId)),
    created_at: isoTime(suite.createdAt),
    updated_at: isoTime(suite.updatedAt),
    latest_check_runs_count: runs.length,
    check_runs_url: `${url}/check-runs`,
    rerequestable: true,
    runs_rerequestable: true,
  };
}

function headCommitJson(oid: Oid, commit: GitCommit | null) {
  if (commit === null) throw new Error(`a check suite is on ${oid}, which is not a commit`);
  return {
    id: commit.oid,
    tree_id: commit.tree,
    message: commit.message.trimEnd(),
    timestamp: isoTime(commit.committer.at),
    author: { name: commit.author.name, email: commit.author.email },
    committer: { name: commit.committer.name, email: commit.committer.email },
  } satisfies components['schemas']['simple-commit'];
}

/** The open pull requests whose head is this commit. GitHub leaves those from forks out. */
function pullsAt(scope: Scope, repository: Repository, oid: Oid) {
  const { db } = scope;
  return db.pulls
    .by('headOid', oid)
    .filter((pull) => pull.repositoryId === repository.id && !isFromFork(pull))
    .filter((pull) => db.issues.must(pull.issueId).state === 'open')
    .map((pull) => minimalPullJson(scope, pull));
}
