import type { Issue } from '../../world/model.js';
import type { World } from '../../world/world.js';

/** Makes all references to one issue refer to another, or (`null`) removes them. No event is recorded. */
export function relink(world: World, from: Issue, to: Issue | null): void {
  const { issues, projectItems } = world.tables;
  const replace = (id: number): number[] => (id !== from.id ? [id] : to === null ? [] : [to.id]);
  for (const issue of issues.all()) {
    const parentId = issue.parentId === from.id ? (to?.id ?? null) : issue.parentId;
    const isLinked = issue.subIssueIds.includes(from.id) || issue.blockedBy.some(({ issueId }) => issueId === from.id);
    if (parentId === issue.parentId && !isLinked) continue;
    issues.update(issue, {
      parentId,
      subIssueIds: issue.subIssueIds.flatMap(replace),
      blockedBy: issue.blockedBy.flatMap((edge) => replace(edge.issueId).map((issueId) => ({ ...edge, issueId }))),
    });
  }
  for (const item of projectItems.by('issueId', from.id)) {
    if (to === null) projectItems.delete(item.id);
    else projectItems.update(item, { issueId: to.id });
  }
}
