import { type PayloadBuilders, type PayloadContext, webhook } from '../../webhooks/payload.js';
import type { Issue } from '../../world/model.js';
import { webhookIssue } from '../issues/webhook-issue.js';
import { repositoryJson } from '../repositories/repository-json.js';

interface Relation {
  readonly parentId: number;
  readonly childId: number;
}

/** Both ends, and the repository of the other end as each side is shown it. */
function ends(context: PayloadContext, { parentId, childId }: Relation) {
  const parent = context.db.issues.must(parentId);
  const child = context.db.issues.must(childId);
  const repositoryOf = (issue: Issue) => repositoryJson(context, context.db.repositories.must(issue.repositoryId));
  return {
    both: {
      sub_issue_id: child.id,
      sub_issue: webhookIssue(context, child),
      parent_issue_id: parent.id,
      parent_issue: webhookIssue(context, parent),
    },
    childSide: { parent_issue_repo: repositoryOf(parent) },
    parentSide: { sub_issue_repo: repositoryOf(child) },
  };
}

/* Recorded once per side: one event for the parent's repository, one for the child's. */
export const subIssuePayloads: PayloadBuilders = {
  'sub-issue added': (context, event) => {
    const { both, childSide, parentSide } = ends(context, event.data);
    return event.subjectId === event.data.parentId
      ? webhook('sub_issues', 'webhook-sub-issues-sub-issue-added', {
          action: 'sub_issue_added',
          ...both,
          ...parentSide,
        })
      : webhook('sub_issues', 'webhook-sub-issues-parent-issue-added', {
          action: 'parent_issue_added',
          ...both,
          ...childSide,
        });
  },
  'sub-issue removed': (context, event) => {
    const { both, childSide, parentSide } = ends(context, event.data);
    return event.subjectId === event.data.parentId
      ? webhook('sub_issues', 'webhook-sub-issues-sub-issue-removed', {
          action: 'sub_issue_removed',
          ...both,
          ...parentSide,
        })
      : webhook('sub_issues', 'webhook-sub-issues-parent-issue-removed', {
          action: 'parent_issue_removed',
          ...both,
          ...childSide,
        });
  },
};
