import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { issueHalf, issueOfNode, nodeOf, subjectNode } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { actorOf } from '../../identity/viewer.js';
import type { Issue, Pull, Repository } from '../../world/model.js';
import { demandOn, TRIAGE } from '../issues/access.js';
import { addAssignees, assignableUsers, removeAssignees } from './rules.js';

interface Input {
  readonly input: { readonly assignableId: string; readonly assigneeIds: readonly string[] };
}

function assigneesOf(subject: Issue | Pull, args: ConnectionArgs, context: Context) {
  const { assigneeIds } = issueHalf(context, subject);
  return connection(
    assigneeIds.map((id) => context.db.users.must(id)),
    args,
  );
}

/** What is to be assigned and to whom, once the caller may. */
function assignable(context: Context, { input }: Input) {
  const issue = issueOfNode(context, input.assignableId);
  demandOn(context, issue, TRIAGE);
  return { issue, userIds: input.assigneeIds.map((id) => nodeOf(context, 'users', id).id) };
}

const mutations = {
  addAssigneesToAssignable: async (_: unknown, args: Input, context: Context) => {
    const { issue, userIds } = assignable(context, args);
    await addAssignees(context.world, actorOf(context.viewer), issue, userIds);
    return { assignable: subjectNode(context, issue.id) };
  },
  removeAssigneesFromAssignable: async (_: unknown, args: Input, context: Context) => {
    const { issue, userIds } = assignable(context, args);
    await removeAssignees(context.world, actorOf(context.viewer), issue, userIds);
    return { assignable: subjectNode(context, issue.id) };
  },
};

export const assigneeResolvers: ResolverMap = {
  Issue: { assignees: assigneesOf },
  PullRequest: { assignees: assigneesOf },
  Repository: {
    assignableUsers: (repository: Repository, args: ConnectionArgs & { query?: string | null }, { db }: Context) => {
      const wanted = args.query?.toLowerCase() ?? '';
      return connection(
        assignableUsers(db, repository).filter(({ login }) => login.toLowerCase().includes(wanted)),
        args,
      );
    },
  },
  Mutation: mutations,
};
