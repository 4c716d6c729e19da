import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { issueHalf, repositoryOf, subjectNode } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import type { Comment, Issue, Pull } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { writtenFields } from '../edits/written-fields.js';
import { allowsOn, MODERATE, orAuthor, TRIAGE } from '../issues/access.js';
import { commentJson } from './comment-json.js';
import { commentMutations } from './mutations.js';

interface CommentArgs extends ConnectionArgs {
  readonly orderBy?: { readonly field: 'UPDATED_AT'; readonly direction: 'ASC' | 'DESC' } | null;
}

/** Oldest first unless `orderBy` asks for the time of the last change. */
function commentsOf(subject: Issue | Pull, args: CommentArgs, context: Context) {
  const comments = context.db.comments.by('issueId', issueHalf(context, subject).id);
  if (args.orderBy == null) return connection(comments, args);
  const sign = args.orderBy.direction === 'ASC' ? 1 : -1;
  return connection(
    comments.sort((a, b) => sign * (a.updatedAt - b.updatedAt || a.id - b.id)),
    args,
  );
}

const issueOf = (comment: Comment, context: Context): Issue => context.db.issues.must(comment.issueId);

const canUpdate = (comment: Comment, _: unknown, context: Context): boolean =>
  allowsOn(context, issueOf(comment, context), orAuthor(context, comment, MODERATE));

const resolvers = {
  ...writtenFields((comment: Comment) => comment),
  id: (comment: Comment) => formatNodeId('comments', comment.id),
  databaseId: (comment: Comment) => comment.id,
  fullDatabaseId: (comment: Comment) => String(comment.id),
  url: (comment: Comment, _: unknown, context: Context) => commentJson(context, comment).html_url,
  resourcePath: (comment: Comment, _: unknown, context: Context) =>
    commentJson(context, comment).html_url.slice(context.urls.html.length),
  repository: (comment: Comment, _: unknown, context: Context) => repositoryOf(context, comment),
  // On a pull request GitHub answers `issue` too, with the pull request's issue half.
  issue: (comment: Comment, _: unknown, context: Context) => issueOf(comment, context),
  pullRequest: (comment: Comment, _: unknown, context: Context) => {
    const { pullId } = issueOf(comment, context);
    return pullId === null ? null : subjectNode(context, comment.issueId);
  },
  isMinimized: (comment: Comment) => comment.minimizedReason !== null,
  minimizedReason: (comment: Comment) => comment.minimizedReason,
  viewerCanUpdate: canUpdate,
  viewerCanDelete: canUpdate,
  viewerCanMinimize: (comment: Comment, _: unknown, context: Context) =>
    allowsOn(context, issueOf(comment, context), TRIAGE),
  viewerCannotUpdateReasons: (comment: Comment, args: unknown, context: Context) =>
    canUpdate(comment, args, context) ? [] : ['INSUFFICIENT_ACCESS'],
};

export const commentResolvers: ResolverMap = {
  IssueComment: resolvers,
  Issue: { comments: commentsOf },
  PullRequest: { comments: commentsOf },
  Mutation: commentMutations,
};
