import { type PayloadBuilders, type PayloadContext, webhook } from '../../webhooks/payload.js';
import type { Issue } from '../../world/model.js';
import { webhookIssue } from '../issues/webhook-issue.js';
import { repositoryJson } from '../repositories/repository-json.js';

interface Relation {
  readonly blockedId: number;
  readonly blockingId: number;
}

function ends(context: PayloadContext, { blockedId, blockingId }: Relation) {
  const blocked = context.db.issues.must(blockedId);
  const blocking = context.db.issues.must(blockingId);
  const repositoryOf = (issue: Issue) => repositoryJson(context, context.db.repositories.must(issue.repositoryId));
  return {
    both: {
      blocked_issue_id: blocked.id,
      blocked_issue: webhookIssue(context, blocked),
      blocking_issue_id: blocking.id,
      blocking_issue: webhookIssue(context, blocking),
    },
    blockedSide: { blocking_issue_repo: repositoryOf(blocking) },
    blockingSide: { blocked_issue_repo: repositoryOf(blocked) },
  };
}

/* Recorded once per side: one event for the blocked issue's repository, one for the blocker's. */
export const dependencyPayloads: PayloadBuilders = {
  'dependency added': (context, event) => {
    const { both, blockedSide, blockingSide } = ends(context, event.data);
    return event.subjectId === event.data.blockedId
      ? webhook('issue_dependencies', 'webhook-issue-dependencies-blocked-by-added', {
          action: 'blocked_by_added',
          ...both,
          ...blockedSide,
        })
      : webhook('issue_dependencies', 'webhook-issue-dependencies-blocking-added', {
          action: 'blocking_added',
          ...both,
          ...blockingSide,
        });
  },
  'dependency removed': (context, event) => {
    const { both, blockedSide, blockingSide } = ends(context, event.data);
    return event.subjectId === event.data.blockedId
      ? webhook('issue_dependencies', 'webhook-issue-dependencies-blocked-by-removed', {
          action: 'blocked_by_removed',
          ...both,
          ...blockedSide,
        })
      : webhook('issue_dependencies', 'webhook-issue-dependencies-blocking-removed', {
          action: 'blocking_removed',
          ...both,
          ...blockingSide,
        });
  },
};
