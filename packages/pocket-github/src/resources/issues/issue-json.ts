import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import { authorAssociation } from '../../identity/association.js';
import { fullName } from '../../world/lookup.js';
import type { Issue } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime, isoTimeOrNull } from '../../world/time.js';
import { appJson } from '../apps/app-json.js';
import { dependenciesSummary } from '../dependencies/summary.js';
import { issueTypeJson } from '../issue-types/issue-type-json.js';
import { labelJson } from '../labels/label-json.js';
import { milestoneJson } from '../milestones/milestone-json.js';
import { reactionRollup } from '../reactions/rollup.js';
import { subIssuesSummary } from '../sub-issues/summary.js';
import { simpleUserById, simpleUserOrNull } from '../users/user-json.js';
import { issueUrls } from './issue-urls.js';

/** An issue, or a pull request seen as an issue, as lists and the answers of other resources show it. */
export function issueJson(scope: Scope, issue: Issue) {
  return issueFacts(scope, issue) satisfies components['schemas']['issue'];
}

/** An issue asked for by itself: only there GitHub says who closed it. */
export function singleIssueJson(scope: Scope, issue: Issue) {
  return {
    ...issueFacts(scope, issue),
    closed_by: simpleUserOrNull(scope, issue.closedById),
  } satisfies components['schemas']['issue'];
}

/** The part that REST answers and webhooks share; webhooks do not say who closed. */
export function issueFacts(scope: Scope, issue: Issue) {
  const { db } = scope;
  const repository = db.repositories.must(issue.repositoryId);
  const urls = issueUrls(scope, issue);
  const assignees = issue.assigneeIds.map((id) => simpleUserById(scope, id));
  return {
    ...urls,
    id: issue.id,
    node_id: issue.pullId === null ? formatNodeId('issues', issue.id) : formatNodeId('pulls', issue.pullId),
    number: issue.number,
    title: issue.title,
    user: simpleUserById(scope, issue.authorId),
    labels: issue.labelIds.map((id) => labelJson(scope, db.labels.must(id))),
    state: issue.state,
    locked: issue.locked,
    assignee: assignees[0] ?? null,
    assignees,
    milestone: issue.milestoneId === null ? null : milestoneJson(scope, db.milestones.must(issue.milestoneId)),
    comments: db.comments.by('issueId', issue.id).length,
    created_at: isoTime(issue.createdAt),
    updated_at: isoTime(issue.updatedAt),
    closed_at: isoTimeOrNull(issue.closedAt),
    author_association: authorAssociation(db, repository, issue.authorId),
    active_lock_reason: issue.lockReason,
    body: issue.body,
    reactions: reactionRollup(scope, issue.id, urls.url),
    performed_via_github_app: issue.viaAppId === null ? null : appJson(scope, db.apps.must(issue.viaAppId)),
    state_reason: issue.stateReason,
    ...(issue.pullId === null ? issueOnly(scope, issue) : pullOnly(scope, issue, issue.pullId)),
  };
}

function issueOnly(scope: Scope, issue: Issue) {
  const { db } = scope;
  const parent = issue.parentId === null ? undefined : db.issues.get(issue.parentId);
  return {
    ...(parent === undefined ? {} : { parent_issue_url: issueUrls(scope, parent).url }),
    type: issue.typeId === null ? null : issueTypeJson(db.issueTypes.must(issue.typeId)),
    sub_issues_summary: subIssuesSummary(db, issue),
    issue_dependencies_summary: dependenciesSummary(db, issue),
  };
}

function pullOnly({ db, urls }: Scope, issue: Issue, pullId: number) {
  const pull = db.pulls.must(pullId);
  const name = fullName(db, db.repositories.must(issue.repositoryId));
  const html = `${urls.html}/${name}/pull/${issue.number}`;
  return {
    draft: pull.draft,
    pull_request: {
      url: `${urls.api}/repos/${name}/pulls/${issue.number}`,
      html_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      merged_at: isoTimeOrNull(pull.mergedAt),
    },
  };
}
