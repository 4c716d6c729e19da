import { z } from 'zod';
import { listReply, pageQuery } from '../../http/pagination.js';
import { json, noContent } from '../../http/reply.js';
import { type RestRequest, route } from '../../http/route.js';
import type { Need } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { notFound } from '../../world/errors.js';
import { fullName } from '../../world/lookup.js';
import { type Reaction, REACTIONS, type ReactionContent, type Repository } from '../../world/model.js';
import { demandOn, READ, SEE, TAKE_PART } from '../issues/access.js';
import { subjectIn } from '../issues/subject.js';
import { reactionJson } from './reaction-json.js';
import { addReaction, demandUnlocked, issueOfReactable, removeReaction } from './rules.js';

type Request = RestRequest<unknown, unknown>;
/** Finds what a path names and checks that the caller may do what `need` says; its id and its address below the repository. */
type Find = (request: Request, repository: Repository, need: Need) => { readonly id: number; readonly path: string };

const onIssue: Find = (request, repository, need) => {
  const issue = subjectIn(request, repository, need);
  return { id: issue.id, path: `issues/${issue.number}` };
};

const onComment =
  (table: 'comments' | 'reviewComments', path: string): Find =>
  ({ context, params }, repository, need) => {
    const comment = context.db[table].get(Number(params['comment_id']));
    if (comment === undefined || comment.repositoryId !== repository.id) throw notFound();
    demandOn(context, issueOfReactable(context.db, comment.id), need);
    return { id: comment.id, path: `${path}/${comment.id}` };
  };

const content = z.enum(REACTIONS);
const query = z.object({ ...pageQuery, content: content.optional() });
const body = z.object({ content });

function list(find: Find) {
  return (request: RestRequest<z.infer<typeof query>, unknown>, repository: Repository) => {
    const { context, query: asked } = request;
    const subject = find(request, repository, READ);
    const given = context.db.reactions
      .by('subjectId', subject.id)
      .filter((reaction) => asked.content === undefined || reaction.content === asked.content);
    const path = `/repos/${fullName(context.db, repository)}/${subject.path}/reactions`;
    return listReply(given, asked, context, path, (reaction) => reactionJson(context, reaction));
  };
}

/** 201 for a new reaction, 200 for one that was there already. */
function add(find: Find) {
  return (request: RestRequest<unknown, { content: ReactionContent }>, repository: Repository) => {
    const { context } = request;
    const { id } = find(request, repository, TAKE_PART);
    demandUnlocked(context, id);
    const { reaction, isNew } = addReaction(context.world, actorOf(context.viewer), id, request.body.content);
    return json(isNew ? 201 : 200, reactionJson(context, reaction));
  };
}

function remove(find: Find) {
  return (request: Request, repository: Repository) => {
    const { world, viewer, db } = request.context;
    const { id } = find(request, repository, TAKE_PART);
    const reaction: Reaction | undefined = db.reactions.get(Number(request.params['reaction_id']));
    if (reaction?.subjectId !== id) throw notFound();
    removeReaction(world, actorOf(viewer), reaction);
    return noContent();
  };
}

const onIssueComment = onComment('comments', 'issues/comments');
const onReviewComment = onComment('reviewComments', 'pulls/comments');
const access = SEE;

export const reactionRoutes = [
  route('GET /repos/{owner}/{repo}/issues/{issue_number}/reactions', { access, query, handle: list(onIssue) }),
  route('POST /repos/{owner}/{repo}/issues/{issue_number}/reactions', { access, body, handle: add(onIssue) }),
  route('DELETE /repos/{owner}/{repo}/issues/{issue_number}/reactions/{reaction_id}', {
    access,
    handle: remove(onIssue),
  }),
  route('GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions', {
    access,
    query,
    handle: list(onIssueComment),
  }),
  route('POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions', {
    access,
    body,
    handle: add(onIssueComment),
  }),
  route('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions/{reaction_id}', {
    access,
    handle: remove(onIssueComment),
  }),
  route('GET /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions', {
    access,
    query,
    handle: list(onReviewComment),
  }),
  route('POST /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions', {
    access,
    body,
    handle: add(onReviewComment),
  }),
  route('DELETE /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions/{reaction_id}', {
    access,
    handle: remove(onReviewComment),
  }),
];
