import { z } from 'zod';
import { listReply, pageQuery } from '../../http/pagination.js';
import { created, noContent, ok } from '../../http/reply.js';
import { type RestRequest, route } from '../../http/route.js';
import { isSince, timeParameter } from '../../http/time-parameter.js';
import type { Need } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { notFound } from '../../world/errors.js';
import { fullName } from '../../world/lookup.js';
import type { Comment, Repository } from '../../world/model.js';
import { demandOn, MODERATE, orAuthor, READ, SEE, TAKE_PART } from '../issues/access.js';
import { demandConversation } from '../issues/lock.js';
import { subjectIn } from '../issues/subject.js';
import { commentJson } from './comment-json.js';
import { createComment, deleteComment, editComment } from './rules.js';

/** The comment a path names, once the caller may do what `need` says; its author needs less. */
function commentIn(request: RestRequest<unknown, unknown>, repository: Repository, need: Need): Comment {
  const { context, params } = request;
  const comment = context.db.comments.get(Number(params['comment_id']));
  if (comment === undefined || comment.repositoryId !== repository.id) throw notFound();
  demandOn(context, context.db.issues.must(comment.issueId), orAuthor(context, comment, need));
  return comment;
}

const onIssue = [
  route('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    access: SEE,
    query: z.object({ ...pageQuery, since: timeParameter.optional() }),
    handle: (request, repository) => {
      const { context, query } = request;
      const issue = subjectIn(request, repository, READ);
      const comments = context.db.comments
        .by('issueId', issue.id)
        .filter(({ updatedAt }) => isSince(updatedAt, query.since));
      const path = `/repos/${fullName(context.db, repository)}/issues/${issue.number}/comments`;
      return listReply(comments, query, context, path, (comment) => commentJson(context, comment));
    },
  }),
  route('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    access: SEE,
    body: z.object({ body: z.string() }),
    handle: async (request, repository) => {
      const { context, body } = request;
      const issue = subjectIn(request, repository, TAKE_PART);
      demandConversation(context, issue);
      return created(
        commentJson(context, await createComment(context.world, actorOf(context.viewer), issue, body.body)),
      );
    },
  }),
];

const listQuery = z.object({
  ...pageQuery,
  sort: z.enum(['created', 'updated']).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
  since: timeParameter.optional(),
});

/** By id ascending; with `sort` newest first unless told otherwise. GitHub ignores `direction` without `sort`. */
function sorted(comments: readonly Comment[], { sort, direction }: z.infer<typeof listQuery>): Comment[] {
  if (sort === undefined) return [...comments];
  const key = sort === 'created' ? 'createdAt' : 'updatedAt';
  const sign = direction === 'asc' ? 1 : -1;
  return comments.toSorted((a, b) => sign * (a[key] - b[key] || a.id - b.id));
}

const inRepository = [
  route('GET /repos/{owner}/{repo}/issues/comments', {
    access: READ,
    query: listQuery,
    handle: ({ context, query }, repository) => {
      const comments = context.db.comments
        .by('repositoryId', repository.id)
        .filter(({ updatedAt }) => isSince(updatedAt, query.since));
      const path = `/repos/${fullName(context.db, repository)}/issues/comments`;
      return listReply(sorted(comments, query), query, context, path, (comment) => commentJson(context, comment));
    },
  }),
  route('GET /repos/{owner}/{repo}/issues/comments/{comment_id}', {
    access: SEE,
    handle: (request, repository) => ok(commentJson(request.context, commentIn(request, repository, READ))),
  }),
  route('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
    access: SEE,
    body: z.object({ body: z.string() }),
    handle: async (request, repository) => {
      const { context, body } = request;
      const comment = commentIn(request, repository, MODERATE);
      return ok(commentJson(context, await editComment(context.world, actorOf(context.viewer), comment, body.body)));
    },
  }),
  route('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', {
    access: SEE,
    handle: async (request, repository) => {
      const comment = commentIn(request, repository, MODERATE);
      await deleteComment(request.context.world, actorOf(request.context.viewer), comment);
      return noContent();
    },
  }),
];

export const commentRoutes = [...onIssue, ...inRepository];
