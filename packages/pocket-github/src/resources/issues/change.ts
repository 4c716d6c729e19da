import type { Context } from '../../http/context.js';
import { actorOf } from '../../identity/viewer.js';
import type { Issue, Label, Milestone } from '../../world/model.js';
import { setAssignees } from '../assignees/rules.js';
import { setType } from '../issue-types/rules.js';
import { setLabels } from '../labels/rules.js';
import { setMilestone } from '../milestones/rules.js';
import { closePull, reopenPull } from '../pulls/rules.js';
import { demandOn, reopenNeed } from './access.js';
import { type Closing, closeIssue, editIssue, type IssueChange, reopenIssue } from './rules.js';

/** What one edit can change. Undefined members stay as they are; lists and `null` replace. */
export interface IssueUpdate extends IssueChange {
  readonly labels?: readonly Label[] | undefined;
  readonly assigneeIds?: readonly number[] | undefined;
  readonly milestone?: Milestone | null | undefined;
  readonly typeId?: number | null | undefined;
  readonly state?: 'open' | 'closed' | undefined;
  readonly reason?: Closing['reason'] | undefined;
}

/** Applies an edit of an issue or of a pull request's issue half, one aspect after the other. */
export async function updateIssue(context: Context, issue: Issue, update: IssueUpdate): Promise<Issue> {
  const { world, viewer } = context;
  const actor = actorOf(viewer);
  const { labels, assigneeIds, milestone, typeId } = update;
  await editIssue(world, actor, issue, update);
  const current = () => world.tables.issues.must(issue.id);
  if (labels !== undefined) await setLabels(world, actor, current(), labels);
  if (assigneeIds !== undefined) await setAssignees(world, actor, current(), assigneeIds);
  if (milestone !== undefined) await setMilestone(world, actor, current(), milestone);
  if (typeId !== undefined) await setType(world, actor, current(), typeId);
  if (update.state === 'closed') await close(context, current(), update.reason ?? null);
  if (update.state === 'open') await reopen(context, current());
  return current();
}

async function close({ world, viewer }: Context, issue: Issue, reason: Closing['reason']): Promise<void> {
  if (issue.pullId === null) await closeIssue(world, actorOf(viewer), issue, { reason });
  else await closePull(world, actorOf(viewer), world.tables.pulls.must(issue.pullId));
}

async function reopen(context: Context, issue: Issue): Promise<void> {
  const { world, viewer } = context;
  if (issue.state === 'open') return;
  demandOn(context, issue, reopenNeed(context, issue));
  if (issue.pullId === null) await reopenIssue(world, actorOf(viewer), issue);
  else await reopenPull(world, actorOf(viewer), world.tables.pulls.must(issue.pullId));
}
