import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { nodeOf, repositoryOf, unresolvedNode } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { actorOf } from '../../identity/viewer.js';
import type { Issue, IssueType, Repository } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { demandOn, TRIAGE } from '../issues/access.js';
import { setType, typesOf } from './rules.js';

interface Input {
  readonly input: { readonly issueId: string; readonly issueTypeId?: string | null };
}

/** The type behind an id; another organisation's is as good as none. */
function typeFor(context: Context, issue: Issue, id: string): IssueType {
  const type = nodeOf(context, 'issueTypes', id);
  if (type.ownerId !== repositoryOf(context, issue).ownerId) throw unresolvedNode(id);
  return type;
}

export const issueTypeResolvers: ResolverMap = {
  IssueType: {
    id: (type: IssueType) => formatNodeId('issueTypes', type.id),
    name: (type: IssueType) => type.name,
    description: (type: IssueType) => type.description,
    color: (type: IssueType) => type.color.toUpperCase(),
    isEnabled: () => true,
    isPrivate: () => false,
  },
  Issue: {
    issueType: (issue: Issue, _: unknown, { db }: Context) =>
      issue.typeId === null ? null : db.issueTypes.must(issue.typeId),
  },
  Repository: {
    issueTypes: (repository: Repository, args: ConnectionArgs, { db }: Context) => {
      const isOrganization = db.users.must(repository.ownerId).type === 'Organization';
      return isOrganization ? connection(typesOf(db, repository), args) : null;
    },
  },
  Mutation: {
    updateIssueIssueType: async (_: unknown, { input }: Input, context: Context) => {
      const issue = nodeOf(context, 'issues', input.issueId);
      demandOn(context, issue, TRIAGE);
      const typeId = input.issueTypeId == null ? null : typeFor(context, issue, input.issueTypeId).id;
      return { issue: await setType(context.world, actorOf(context.viewer), issue, typeId) };
    },
  },
};
