import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { commitNode, repositoryOf } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { seesReviewComment, seesReviewThread } from '../../identity/drafts.js';
import { UnmodelledError } from '../../world/errors.js';
import type { Pull, ReviewComment, ReviewThread } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime, isoTimeOrNull } from '../../world/time.js';
import { writtenFields } from '../edits/written-fields.js';
import { reactableFields } from '../reactions/reactable-fields.js';
import { userOnly } from '../timeline/event-fields.js';
import { threadMutations } from './mutations.js';
import { reviewCommentFacts } from './review-comment-json.js';

interface ThreadCommentArgs extends ConnectionArgs {
  readonly skip?: number | null;
}

const ofThread = {
  id: (thread: ReviewThread) => formatNodeId('reviewThreads', thread.id),
  isResolved: (thread: ReviewThread) => thread.resolvedById !== null,
  isOutdated: (thread: ReviewThread) => thread.outdated,
  // GitHub folds what is settled or has moved on.
  isCollapsed: (thread: ReviewThread) => thread.resolvedById !== null || thread.outdated,
  // A field for people only: what a bot resolved has nobody here.
  resolvedBy: ({ resolvedById }: ReviewThread, _: unknown, context: Context) =>
    resolvedById === null ? null : userOnly(context, resolvedById),
  path: (thread: ReviewThread) => thread.path,
  line: (thread: ReviewThread) => thread.line,
  startLine: (thread: ReviewThread) => thread.startLine,
  originalLine: (thread: ReviewThread) => thread.originalLine,
  originalStartLine: (thread: ReviewThread) => thread.originalStartLine,
  diffSide: (thread: ReviewThread) => thread.side,
  startDiffSide: (thread: ReviewThread) => (thread.originalStartLine === null ? null : thread.side),
  subjectType: (thread: ReviewThread) => thread.subjectType,
  pullRequest: (thread: ReviewThread, _: unknown, { db }: Context) => db.pulls.must(thread.pullId),
  repository: (thread: ReviewThread, _: unknown, context: Context) => repositoryOf(context, thread),
  comments: (thread: ReviewThread, args: ThreadCommentArgs, { db, viewer }: Context) => {
    if (args.skip != null) throw new UnmodelledError('PullRequestReviewThread.comments(skip)');
    const comments = db.reviewComments.by('threadId', thread.id);
    return connection(
      comments.filter((comment) => seesReviewComment(db, viewer, comment)),
      args,
    );
  },
};

const threadOf = (comment: ReviewComment, context: Context): ReviewThread =>
  context.db.reviewThreads.must(comment.threadId);
const onThread =
  <T>(read: (thread: ReviewThread) => T) =>
  (comment: ReviewComment, _: unknown, context: Context): T =>
    read(threadOf(comment, context));

const html = (comment: ReviewComment, context: Context): string => reviewCommentFacts(context, comment).html_url;

const ofComment = {
  ...writtenFields((comment: ReviewComment) => comment),
  ...reactableFields((comment: ReviewComment) => comment),
  id: (comment: ReviewComment) => formatNodeId('reviewComments', comment.id),
  databaseId: (comment: ReviewComment) => comment.id,
  fullDatabaseId: (comment: ReviewComment) => String(comment.id),
  diffHunk: (comment: ReviewComment) => comment.diffHunk,
  draftedAt: (comment: ReviewComment) => isoTime(comment.createdAt),
  publishedAt: (comment: ReviewComment, _: unknown, { db }: Context) =>
    isoTimeOrNull(db.reviews.must(comment.reviewId).submittedAt),
  state: (comment: ReviewComment, _: unknown, { db }: Context) =>
    db.reviews.must(comment.reviewId).state === 'PENDING' ? 'PENDING' : 'SUBMITTED',
  path: onThread((thread) => thread.path),
  line: onThread((thread) => thread.line),
  startLine: onThread((thread) => thread.startLine),
  position: onThread((thread) => thread.position),
  originalLine: onThread((thread) => thread.originalLine),
  originalStartLine: onThread((thread) => thread.originalStartLine),
  originalPosition: onThread((thread) => thread.originalPosition),
  outdated: onThread((thread) => thread.outdated),
  subjectType: onThread((thread) => thread.subjectType),
  commit: (comment: ReviewComment, _: unknown, context: Context) =>
    commitNode(comment.repositoryId, reviewCommentFacts(context, comment).commit_id),
  originalCommit: (comment: ReviewComment, _: unknown, context: Context) =>
    commitNode(comment.repositoryId, threadOf(comment, context).commitOid),
  pullRequest: (comment: ReviewComment, _: unknown, { db }: Context) => db.pulls.must(comment.pullId),
  pullRequestReview: (comment: ReviewComment, _: unknown, { db }: Context) => db.reviews.must(comment.reviewId),
  replyTo: (comment: ReviewComment, _: unknown, { db }: Context) =>
    comment.inReplyToId === null ? null : (db.reviewComments.get(comment.inReplyToId) ?? null),
  repository: (comment: ReviewComment, _: unknown, context: Context) => repositoryOf(context, comment),
  url: (comment: ReviewComment, _: unknown, context: Context) => html(comment, context),
  resourcePath: (comment: ReviewComment, _: unknown, context: Context) =>
    html(comment, context).slice(context.urls.html.length),
  // Review comments cannot be hidden here: minimizeComment refuses them as not modelled.
  isMinimized: () => false,
  minimizedReason: () => null,
};

export const threadResolvers: ResolverMap = {
  PullRequest: {
    reviewThreads: (pull: Pull, args: ConnectionArgs, { db, viewer }: Context) => {
      const threads = db.reviewThreads.by('pullId', pull.id);
      return connection(
        threads.filter((thread) => seesReviewThread(db, viewer, thread)),
        args,
      );
    },
  },
  PullRequestReviewThread: ofThread,
  PullRequestReviewComment: ofComment,
  Mutation: threadMutations,
};
