import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import { authorAssociation } from '../../identity/association.js';
import { headRepositoryOf } from '../../world/lookup.js';
import type { Oid, Pull, ReviewComment } from '../../world/model.js';
import { formatNodeId, type Tables } from '../../world/tables.js';
import { isoTime, isoTimeOrNull } from '../../world/time.js';
import type { World } from '../../world/world.js';
import { labelJson } from '../labels/label-json.js';
import { milestoneJson } from '../milestones/milestone-json.js';
import { minimalRepositoryJson } from '../repositories/repository-json.js';
import { repositoryUrls } from '../repositories/repository-urls.js';
import { simpleUserById, simpleUserOrNull } from '../users/user-json.js';
import { isMergeabilityKnown, mergeStateOf } from './merging/mergeability.js';
import { pullUrls } from './pull-urls.js';

type Schemas = components['schemas'];

/** What it takes to show a pull request: mergeability depends on the time. */
export interface PullScope extends Scope {
  readonly world: World;
}

/** A pull request with everything, as its own page of the API shows it. */
export function pullJson(scope: PullScope, pull: Pull) {
  const { db, world } = scope;
  const known = isMergeabilityKnown(world, pull, db);
  return {
    ...pullFacts(scope, pull),
    merged: pull.mergedAt !== null,
    mergeable: known ? pull.trial.mergeable : null,
    rebaseable: known ? pull.trial.rebaseable : null,
    mergeable_state: mergeStateOf(world, pull, db),
    merged_by: simpleUserOrNull(scope, pull.mergedById),
    comments: db.comments.by('issueId', pull.issueId).length,
    review_comments: db.reviewComments.by('pullId', pull.id).filter((comment) => isSubmitted(db, comment)).length,
    maintainer_can_modify: pull.maintainerCanModify,
    commits: pull.size.commits,
    additions: pull.size.additions,
    deletions: pull.size.deletions,
    changed_files: pull.size.changedFiles,
  } satisfies Schemas['pull-request'];
}

/** Comments of a pending review count for nobody yet. */
const isSubmitted = (db: Tables, comment: ReviewComment): boolean =>
  db.reviews.must(comment.reviewId).state !== 'PENDING';

/** A pull request as lists and review webhooks show it. */
export function simplePullJson(scope: PullScope, pull: Pull) {
  const { labels, ...facts } = pullFacts(scope, pull);
  // The published type forbids labels without description here; GitHub sends `null` for them all the same.
  return {
    ...facts,
    labels: labels as (ReturnType<typeof labelJson> & { description: string })[],
  } satisfies Schemas['pull-request-simple'];
}

/** The few facts that check suites and check runs carry about the pull requests of their head. */
export function minimalPullJson(scope: Scope, pull: Pull) {
  const repository = scope.db.repositories.must(pull.repositoryId);
  const repo = { id: repository.id, url: repositoryUrls(scope, repository).url, name: repository.name };
  return {
    url: pullUrls(scope, pull).url,
    id: pull.id,
    number: pull.number,
    head: { ref: pull.headRef, sha: pull.headOid, repo },
    base: { ref: pull.baseRef, sha: pull.baseOid, repo },
  } satisfies Schemas['pull-request-minimal'];
}

function pullFacts(scope: PullScope, pull: Pull) {
  const { db } = scope;
  const issue = db.issues.must(pull.issueId);
  const repository = db.repositories.must(pull.repositoryId);
  const assignees = issue.assigneeIds.map((id) => simpleUserById(scope, id));
  return {
    ...links(scope, pull),
    id: pull.id,
    node_id: formatNodeId('pulls', pull.id),
    number: pull.number,
    state: issue.state,
    locked: issue.locked,
    title: issue.title,
    user: simpleUserById(scope, issue.authorId),
    body: issue.body,
    labels: issue.labelIds.map((id) => labelJson(scope, db.labels.must(id))),
    milestone: issue.milestoneId === null ? null : milestoneJson(scope, db.milestones.must(issue.milestoneId)),
    active_lock_reason: issue.lockReason,
    created_at: isoTime(issue.createdAt),
    updated_at: isoTime(issue.updatedAt),
    closed_at: isoTimeOrNull(issue.closedAt),
    merged_at: isoTimeOrNull(pull.mergedAt),
    merge_commit_sha: mergeCommitOf(scope, pull),
    assignee: assignees[0] ?? null,
    assignees,
    requested_reviewers: pull.requestedReviewerIds.map((id) => simpleUserById(scope, id)),
    requested_teams: [],
    head: headJson(scope, pull),
    base: {
      ...endJson(scope, repository.ownerId, pull.baseRef, pull.baseOid),
      repo: minimalRepositoryJson(scope, repository),
    },
    author_association: authorAssociation(db, repository, issue.authorId),
    auto_merge: autoMergeJson(scope, pull),
    draft: pull.draft,
  };
}

/** Before the merge this is the trial merge, once that is known; afterwards what is on base. */
function mergeCommitOf({ world, db }: PullScope, pull: Pull): Oid | null {
  if (pull.mergedAt !== null) return pull.mergeCommitOid;
  return isMergeabilityKnown(world, pull, db) ? pull.trial.mergeOid : null;
}

function autoMergeJson(scope: Scope, pull: Pull) {
  if (pull.autoMerge === null) return null;
  return {
    enabled_by: simpleUserById(scope, pull.autoMerge.enabledById),
    merge_method: pull.autoMerge.method,
    // `null` unless whoever enabled it chose the words; the published REST type forgets that, the webhook's does not.
    commit_title: pull.autoMerge.commitTitle as string,
    commit_message: pull.autoMerge.commitMessage as string,
  } satisfies Schemas['auto-merge'];
}

function endJson(scope: Scope, ownerId: number, ref: string, sha: Oid) {
  const user = simpleUserById(scope, ownerId);
  return { label: `${user.login}:${ref}`, ref, sha, user };
}

/** `repo` is `null` once the fork is gone. The published type forgets that; GitHub's own webhook types do not. */
function headJson(scope: Scope, pull: Pull) {
  const repository = headRepositoryOf(scope.db, pull);
  const repo = repository === undefined ? null : minimalRepositoryJson(scope, repository);
  return {
    ...endJson(scope, pull.headOwnerId, pull.headRef, pull.headOid),
    repo: repo as ReturnType<typeof minimalRepositoryJson>,
  };
}

function links(scope: Scope, pull: Pull) {
  const at = pullUrls(scope, pull);
  return {
    url: at.url,
    html_url: at.html,
    diff_url: `${at.html}.diff`,
    patch_url: `${at.html}.patch`,
    issue_url: at.issue,
    commits_url: at.commits,
    review_comments_url: at.reviewComments,
    review_comment_url: at.reviewComment,
    comments_url: at.comments,
    statuses_url: at.statuses,
    _links: {
      self: { href: at.url },
      html: { href: at.html },
      issue: { href: at.issue },
      comments: { href: at.comments },
      review_comments: { href: at.reviewComments },
      review_comment: { href: at.reviewComment },
      commits: { href: at.commits },
      statuses: { href: at.statuses },
    },
  };
}
