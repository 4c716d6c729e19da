import { connection } from '../../graphql/connection.js';
import { issueOfNode, nodeOf, subjectNode } from '../../graphql/nodes.js';
import { tagged } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { actorOf } from '../../identity/viewer.js';
import { UnmodelledError } from '../../world/errors.js';
import type { Comment } from '../../world/model.js';
import { parseNodeId } from '../../world/tables.js';
import { demandOn, MODERATE, orAuthor, TAKE_PART, TRIAGE } from '../issues/access.js';
import { demandConversation } from '../issues/lock.js';
import { createComment, deleteComment, editComment } from './rules.js';

interface Input<T> {
  readonly input: T;
}

/** The comment behind an id, once the caller may change it: its author, or somebody with write access. */
function commentOfNode(context: Context, id: string): Comment {
  const comment = nodeOf(context, 'comments', id);
  demandOn(context, context.world.tables.issues.must(comment.issueId), orAuthor(context, comment, MODERATE));
  return comment;
}

/** Reviews and review comments can be hidden on GitHub too. */
function minimizable(context: Context, id: string): Comment {
  if (parseNodeId(id)?.table.startsWith('review') === true) throw new UnmodelledError('minimizing reviews');
  const comment = nodeOf(context, 'comments', id);
  demandOn(context, context.world.tables.issues.must(comment.issueId), TRIAGE);
  return comment;
}

function minimize(context: Context, id: string, minimizedReason: string | null) {
  const comment = context.world.tables.comments.update(minimizable(context, id), { minimizedReason });
  return tagged('IssueComment', comment);
}

export const commentMutations = {
  addComment: async (_: unknown, { input }: Input<{ subjectId: string; body: string }>, context: Context) => {
    const issue = issueOfNode(context, input.subjectId);
    demandOn(context, issue, TAKE_PART);
    demandConversation(context, issue);
    await createComment(context.world, actorOf(context.viewer), issue, input.body);
    const { edges } = connection(context.world.tables.comments.by('issueId', issue.id), { last: 1 });
    return { subject: subjectNode(context, issue.id), commentEdge: edges[0] };
  },
  updateIssueComment: async (_: unknown, { input }: Input<{ id: string; body: string }>, context: Context) => {
    const comment = commentOfNode(context, input.id);
    return { issueComment: await editComment(context.world, actorOf(context.viewer), comment, input.body) };
  },
  deleteIssueComment: async (_: unknown, { input }: Input<{ id: string }>, context: Context) => {
    const comment = commentOfNode(context, input.id);
    await deleteComment(context.world, actorOf(context.viewer), comment);
    return {};
  },
  minimizeComment: (_: unknown, { input }: Input<{ subjectId: string; classifier: string }>, context: Context) => ({
    minimizedComment: minimize(context, input.subjectId, input.classifier.toLowerCase().replaceAll('_', '-')),
  }),
  unminimizeComment: (_: unknown, { input }: Input<{ subjectId: string }>, context: Context) => ({
    unminimizedComment: minimize(context, input.subjectId, null),
  }),
};
