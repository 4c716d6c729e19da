import { z } from 'zod';
import type { Context } from '../../http/context.js';
import { listReply, pageQuery } from '../../http/pagination.js';
import { ok } from '../../http/reply.js';
import { type RestRequest, route } from '../../http/route.js';
import { seesReview } from '../../identity/drafts.js';
import { actorOf } from '../../identity/viewer.js';
import { notFound, unprocessable } from '../../world/errors.js';
import { findPull, fullName } from '../../world/lookup.js';
import type { Pull, Repository, Review } from '../../world/model.js';
import { demandConversation } from '../issues/lock.js';
import { APPROACH, READ } from '../pulls/access.js';
import { reviewCommentJson } from '../review-threads/review-comment-json.js';
import { draftedReview } from './drafting.js';
import { checkMayDismiss, checkMayEdit } from './permissions.js';
import { reviewJson } from './review-json.js';
import { createReview, deletePendingReview, dismissReview, editReview, submitReview } from './rules.js';
import { VERDICTS } from './verdict.js';

const side = z.enum(['LEFT', 'RIGHT']).optional();
const draftComment = z.strictObject({
  path: z.string(),
  body: z.string(),
  line: z.number().int().optional(),
  side,
  start_line: z.number().int().optional(),
  start_side: side,
});
const draftReview = z.object({
  body: z.string().optional(),
  commit_id: z.string().optional(),
  event: z.enum(VERDICTS).optional(),
  comments: z.array(draftComment).optional(),
});

type Request = RestRequest<unknown, unknown>;

function pullIn({ context, params }: Request, repository: Repository): Pull {
  const pull = findPull(context.db, repository.id, Number(params['pull_number']));
  if (pull === undefined) throw notFound();
  return pull;
}

function reviewIn(request: Request, repository: Repository): Review {
  const { context, params } = request;
  const review = context.db.reviews.get(Number(params['review_id']));
  const pull = pullIn(request, repository);
  if (review === undefined || review.pullId !== pull.id || !seesReview(context.viewer, review)) throw notFound();
  return review;
}

function pathOf({ db }: Context, repository: Repository, pull: Pull): string {
  return `/repos/${fullName(db, repository)}/pulls/${pull.number}/reviews`;
}

const reading = [
  route('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews', {
    access: READ,
    query: z.object(pageQuery),
    handle: (request, repository) => {
      const { context, query } = request;
      const pull = pullIn(request, repository);
      const reviews = context.db.reviews.by('pullId', pull.id).filter((review) => seesReview(context.viewer, review));
      return listReply(reviews, query, context, pathOf(context, repository, pull), (review) =>
        reviewJson(context, review),
      );
    },
  }),
  route('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}', {
    access: READ,
    handle: (request, repository) => ok(reviewJson(request.context, reviewIn(request, repository))),
  }),
  route('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments', {
    access: READ,
    query: z.object(pageQuery),
    handle: (request, repository) => {
      const { context, query } = request;
      const review = reviewIn(request, repository);
      const path = `${pathOf(context, repository, pullIn(request, repository))}/${review.id}/comments`;
      const comments = context.db.reviewComments.by('reviewId', review.id);
      return listReply(comments, query, context, path, (comment) => reviewCommentJson(context, comment));
    },
  }),
];

const writing = [
  route('POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews', {
    access: APPROACH,
    body: draftReview,
    handle: async (request, repository) => {
      const { world, viewer } = request.context;
      const { body, commit_id, event, comments } = request.body;
      const pull = pullIn(request, repository);
      demandConversation(request.context, request.context.db.issues.must(pull.issueId));
      const draft = await draftedReview(world, pull, {
        body,
        commitOid: commit_id,
        verdict: event,
        comments: comments?.map((comment) => ({
          ...comment,
          startLine: comment.start_line,
          startSide: comment.start_side,
        })),
      });
      return ok(reviewJson(request.context, await createReview(world, actorOf(viewer), pull, draft)));
    },
  }),
  route('PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}', {
    access: APPROACH,
    body: z.object({ body: z.string() }),
    handle: async (request, repository) => {
      const { world, viewer } = request.context;
      const review = reviewIn(request, repository);
      checkMayEdit(world.tables, viewer, review);
      return ok(reviewJson(request.context, await editReview(world, actorOf(viewer), review, request.body.body)));
    },
  }),
  route('DELETE /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}', {
    access: APPROACH,
    handle: (request, repository) => {
      const review = reviewIn(request, repository);
      const gone = reviewJson(request.context, review);
      deletePendingReview(request.context.world, review);
      return ok(gone);
    },
  }),
  route('POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/events', {
    access: APPROACH,
    body: z.object({ event: z.enum(VERDICTS).optional(), body: z.string().optional() }),
    handle: async (request, repository) => {
      const { world, viewer } = request.context;
      const review = reviewIn(request, repository);
      const { event, body } = request.body;
      if (event === undefined) throw unprocessable('Invalid request.\n\n"event" wasn\'t supplied.');
      return ok(reviewJson(request.context, await submitReview(world, actorOf(viewer), review, event, body ?? null)));
    },
  }),
  route('PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/dismissals', {
    access: APPROACH,
    body: z.object({ message: z.string(), event: z.literal('DISMISS').optional() }),
    handle: async (request, repository) => {
      const { world, viewer } = request.context;
      const review = reviewIn(request, repository);
      checkMayDismiss(world.tables, viewer, review);
      return ok(reviewJson(request.context, await dismissReview(world, actorOf(viewer), review, request.body.message)));
    },
  }),
];

export const reviewRoutes = [...reading, ...writing];
