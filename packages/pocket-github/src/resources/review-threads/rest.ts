import { z } from 'zod';
import { listReply, pageQuery } from '../../http/pagination.js';
import { created, noContent, ok } from '../../http/reply.js';
import { type RestRequest, route } from '../../http/route.js';
import { isSince, timeParameter } from '../../http/time-parameter.js';
import { seesReviewComment } from '../../identity/drafts.js';
import { actorOf } from '../../identity/viewer.js';
import { notFound } from '../../world/errors.js';
import { findPull, fullName } from '../../world/lookup.js';
import type { Pull, Repository, ReviewComment } from '../../world/model.js';
import { demandConversation } from '../issues/lock.js';
import { APPROACH, READ } from '../pulls/access.js';
import { checkMayEdit } from '../reviews/permissions.js';
import { reviewCommentJson } from './review-comment-json.js';
import { deleteReviewComment, editReviewComment, publishReply, publishThread } from './rules.js';
import { targetedPlace } from './targeting.js';

const listQuery = z.object({
  ...pageQuery,
  sort: z.enum(['created', 'updated', 'created_at']).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
  since: timeParameter.optional(),
});
type ListQuery = z.infer<typeof listQuery>;

const side = z.enum(['LEFT', 'RIGHT']).optional();
const newComment = z.object({
  body: z.string(),
  commit_id: z.string(),
  path: z.string(),
  line: z.number().int().optional(),
  side,
  start_line: z.number().int().optional(),
  start_side: side,
  subject_type: z.enum(['line', 'file']).optional(),
  in_reply_to: z.number().int().optional(),
});

type Request = RestRequest<unknown, unknown>;

function pullIn({ context, params }: Request, repository: Repository): Pull {
  const pull = findPull(context.db, repository.id, Number(params['pull_number']));
  if (pull === undefined) throw notFound();
  return pull;
}

function visibleComment({ context }: Request, repository: Repository, id: number): ReviewComment {
  const comment = context.db.reviewComments.get(id);
  if (comment?.repositoryId !== repository.id || !seesReviewComment(context.db, context.viewer, comment))
    throw notFound();
  return comment;
}

const commentIn = (request: Request, repository: Repository) =>
  visibleComment(request, repository, Number(request.params['comment_id']));

/** By id ascending; with `sort` newest first unless told otherwise. GitHub ignores `direction` without `sort`. */
function sorted(comments: readonly ReviewComment[], { sort, direction }: ListQuery): ReviewComment[] {
  if (sort === undefined) return [...comments];
  const key = sort === 'updated' ? 'updatedAt' : 'createdAt';
  const sign = direction === 'asc' ? 1 : -1;
  return comments.toSorted((a, b) => sign * (a[key] - b[key] || a.id - b.id));
}

function listed({ context, query }: RestRequest<ListQuery, unknown>, comments: readonly ReviewComment[], path: string) {
  const rows = comments.filter(
    (comment) => isSince(comment.updatedAt, query.since) && seesReviewComment(context.db, context.viewer, comment),
  );
  return listReply(sorted(rows, query), query, context, path, (comment) => reviewCommentJson(context, comment));
}

async function replyTo(request: Request, pull: Pull, comment: ReviewComment, body: string) {
  const { context } = request;
  if (comment.pullId !== pull.id) throw notFound();
  demandConversation(context, context.db.issues.must(pull.issueId));
  const thread = context.world.tables.reviewThreads.must(comment.threadId);
  return created(reviewCommentJson(context, await publishReply(context.world, actorOf(context.viewer), thread, body)));
}

const ofPull = [
  route('GET /repos/{owner}/{repo}/pulls/{pull_number}/comments', {
    access: READ,
    query: listQuery,
    handle: (request, repository) => {
      const { db } = request.context;
      const pull = pullIn(request, repository);
      const path = `/repos/${fullName(db, repository)}/pulls/${pull.number}/comments`;
      return listed(request, db.reviewComments.by('pullId', pull.id), path);
    },
  }),
  route('POST /repos/{owner}/{repo}/pulls/{pull_number}/comments', {
    access: APPROACH,
    body: newComment,
    handle: async (request, repository) => {
      const { context, body } = request;
      const pull = pullIn(request, repository);
      if (body.in_reply_to !== undefined) {
        return replyTo(request, pull, visibleComment(request, repository, body.in_reply_to), body.body);
      }
      demandConversation(context, context.db.issues.must(pull.issueId));
      const target = await targetedPlace(context.world, pull, body);
      const comment = await publishThread(context.world, actorOf(context.viewer), pull, { ...target, body: body.body });
      return created(reviewCommentJson(context, comment));
    },
  }),
  route('POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies', {
    access: APPROACH,
    body: z.object({ body: z.string() }),
    handle: (request, repository) =>
      replyTo(request, pullIn(request, repository), commentIn(request, repository), request.body.body),
  }),
];

const ofRepository = [
  route('GET /repos/{owner}/{repo}/pulls/comments', {
    access: READ,
    query: listQuery,
    handle: (request, repository) => {
      const { db } = request.context;
      return listed(
        request,
        db.reviewComments.by('repositoryId', repository.id),
        `/repos/${fullName(db, repository)}/pulls/comments`,
      );
    },
  }),
  route('GET /repos/{owner}/{repo}/pulls/comments/{comment_id}', {
    access: READ,
    handle: (request, repository) => ok(reviewCommentJson(request.context, commentIn(request, repository))),
  }),
  route('PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}', {
    access: APPROACH,
    body: z.object({ body: z.string() }),
    handle: async (request, repository) => {
      const { world, viewer } = request.context;
      const comment = commentIn(request, repository);
      checkMayEdit(world.tables, viewer, comment);
      return ok(
        reviewCommentJson(request.context, await editReviewComment(world, actorOf(viewer), comment, request.body.body)),
      );
    },
  }),
  route('DELETE /repos/{owner}/{repo}/pulls/comments/{comment_id}', {
    access: APPROACH,
    handle: async (request, repository) => {
      const { world, viewer } = request.context;
      const comment = commentIn(request, repository);
      checkMayEdit(world.tables, viewer, comment);
      await deleteReviewComment(world, actorOf(viewer), comment);
      return noContent();
    },
  }),
];

export const reviewCommentRoutes = [...ofPull, ...ofRepository];
