import { accountNode, nodeOf } from '../../graphql/nodes.js';
import type { Context } from '../../http/context.js';
import { allows, demand, type Need } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import type { Issue, Repository } from '../../world/model.js';
import { assignableUsers } from '../assignees/rules.js';
import { labelsOfNodes } from '../labels/label-nodes.js';
import { demandOn, MODERATE, orAuthor, TAKE_PART, TRIAGE } from './access.js';
import { updateIssue } from './change.js';
import { deleteIssue, transferIssue } from './moving.js';
import { type Closing, openIssue } from './rules.js';

interface Input<T> {
  readonly input: T;
}

interface Setting {
  readonly assigneeIds?: readonly string[] | null | undefined;
  readonly labelIds?: readonly string[] | null | undefined;
  readonly milestoneId?: string | null | undefined;
}

interface Creation extends Setting {
  readonly repositoryId: string;
  readonly title: string;
  readonly body?: string | null;
}

interface Update extends Setting {
  readonly id: string;
  readonly title?: string | null;
  readonly body?: string | null;
  readonly state?: 'OPEN' | 'CLOSED' | null;
}

interface Close {
  readonly issueId: string;
  readonly stateReason?: string | null;
}

/** Deleting is for administrators; GitHub documents no permission that lets an App do it, so it takes the widest. */
export const DELETE: Need = { app: 'administration:write', role: 'admin' };

/** The records an input names. */
function settings(context: Context, repositoryId: number, { labelIds, assigneeIds, milestoneId }: Setting) {
  return {
    labels: labelIds == null ? undefined : labelsOfNodes(context, repositoryId, labelIds),
    assigneeIds: assigneeIds?.map((id) => nodeOf(context, 'users', id).id),
    milestone: milestoneId == null ? milestoneId : nodeOf(context, 'milestones', milestoneId),
  };
}

function issueIn(context: Context, id: string, need: (issue: Issue) => Need): Issue {
  const issue = nodeOf(context, 'issues', id);
  demandOn(context, issue, need(issue));
  return issue;
}

/** Setting labels, assignees or a milestone takes more than writing the text. */
function needOf(context: Context, input: Setting): (issue: Issue) => Need {
  const sets = [input.labelIds, input.assigneeIds, input.milestoneId].some((given) => given !== undefined);
  return (issue) => (sets ? TRIAGE : orAuthor(context, issue, TRIAGE));
}

const inWords = (reason: string | null | undefined) => (reason?.toLowerCase() ?? null) as Closing['reason'];

async function createIssue(_: unknown, { input }: Input<Creation>, context: Context) {
  const { world, db, viewer } = context;
  const repository: Repository = nodeOf(context, 'repositories', input.repositoryId);
  demand(db, viewer, repository, TAKE_PART);
  // GitHub drops in silence what the author may not set.
  const { labelIds, assigneeIds: userIds, milestoneId } = input;
  const mayTriage = allows(db, viewer, repository, TRIAGE);
  const wanted = mayTriage ? { labelIds, assigneeIds: userIds, milestoneId } : {};
  const { labels, assigneeIds, milestone } = settings(context, repository.id, wanted);
  const assignable = new Set(assignableUsers(db, repository).map(({ id }) => id));
  const issue = await openIssue(world, actorOf(viewer), repository, {
    title: input.title,
    body: input.body,
    labelIds: labels?.map(({ id }) => id) ?? [],
    assigneeIds: assigneeIds?.filter((id) => assignable.has(id)) ?? [],
    milestoneId: milestone?.id ?? null,
  });
  return { issue };
}

const lifeMutations = {
  createIssue,
  updateIssue: async (_: unknown, { input }: Input<Update>, context: Context) => {
    const issue = issueIn(context, input.id, needOf(context, input));
    const updated = await updateIssue(context, issue, {
      ...settings(context, issue.repositoryId, input),
      title: input.title ?? undefined,
      body: input.body ?? undefined,
      state: input.state == null ? undefined : input.state === 'OPEN' ? 'open' : 'closed',
    });
    return { issue: updated, actor: accountNode(context, actorOf(context.viewer).userId) };
  },
  closeIssue: async (_: unknown, { input }: Input<Close>, context: Context) => {
    const issue = issueIn(context, input.issueId, (found) => orAuthor(context, found, TRIAGE));
    return { issue: await updateIssue(context, issue, { state: 'closed', reason: inWords(input.stateReason) }) };
  },
  reopenIssue: async (_: unknown, { input }: Input<{ issueId: string }>, context: Context) => {
    const issue = issueIn(context, input.issueId, (found) => orAuthor(context, found, TRIAGE));
    return { issue: await updateIssue(context, issue, { state: 'open' }) };
  },
};

const movingMutations = {
  deleteIssue: async (_: unknown, { input }: Input<{ issueId: string }>, context: Context) => {
    const issue = issueIn(context, input.issueId, () => DELETE);
    await deleteIssue(context.world, actorOf(context.viewer), issue);
    return { repository: context.world.tables.repositories.must(issue.repositoryId) };
  },
  transferIssue: async (
    _: unknown,
    { input }: Input<{ issueId: string; repositoryId: string; createLabelsIfMissing?: boolean | null }>,
    context: Context,
  ) => {
    const issue = issueIn(context, input.issueId, () => MODERATE);
    const to = nodeOf(context, 'repositories', input.repositoryId);
    demand(context.db, context.viewer, to, MODERATE);
    const create = input.createLabelsIfMissing === true;
    return { issue: await transferIssue(context.world, actorOf(context.viewer), issue, to, create) };
  },
};

export const issueMutations = { ...lifeMutations, ...movingMutations };
