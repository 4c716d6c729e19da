import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { accountNode, issueHalf, issueOfNode, nodeOf, subjectNode } from '../../graphql/nodes.js';
import { type ResolverMap, tagged } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { actorOf } from '../../identity/viewer.js';
import { tableOf } from '../../world/lookup.js';
import type { Comment, Issue, Pull, Reaction } from '../../world/model.js';
import { formatNodeId, parseNodeId } from '../../world/tables.js';
import { isoTime, isoTimeOrNull } from '../../world/time.js';
import { demandOn, TAKE_PART } from '../issues/access.js';
import {
  formatContent,
  groupsOf,
  isViewers,
  parseContent,
  reactableFields,
  type ReactionGroup,
} from './reactable-fields.js';
import { addReaction, demandUnlocked, findReaction, issueOfReactable, removeReaction } from './rules.js';

interface Input {
  readonly input: { readonly subjectId: string; readonly content: string };
}

/** What was reacted to, as the node it is. */
function reactableNode(context: Context, subjectId: number) {
  const { db } = context;
  const table = tableOf(db, subjectId);
  if (table === 'comments') return tagged('IssueComment', db.comments.must(subjectId));
  if (table === 'reviews') return tagged('PullRequestReview', db.reviews.must(subjectId));
  if (table === 'reviewComments') return tagged('PullRequestReviewComment', db.reviewComments.must(subjectId));
  return subjectNode(context, subjectId);
}

/** Id of the record behind a node id, once the caller may react to it. */
function reactable(context: Context, nodeId: string): number {
  const table = parseNodeId(nodeId)?.table;
  const isText = table === 'comments' || table === 'reviews' || table === 'reviewComments';
  const { id } = isText ? nodeOf(context, table, nodeId) : issueOfNode(context, nodeId);
  demandOn(context, issueOfReactable(context.db, id), TAKE_PART);
  return id;
}

function membersOf(group: ReactionGroup, { db }: Context): Reaction[] {
  return db.reactions.by('subjectId', group.subjectId).filter(({ content }) => content === group.content);
}

const group = {
  content: ({ content }: ReactionGroup) => formatContent(content),
  createdAt: (source: ReactionGroup, _: unknown, context: Context) =>
    isoTimeOrNull(membersOf(source, context)[0]?.createdAt ?? null),
  subject: ({ subjectId }: ReactionGroup, _: unknown, context: Context) => reactableNode(context, subjectId),
  viewerHasReacted: (source: ReactionGroup, _: unknown, context: Context) =>
    membersOf(source, context).some(({ userId }) => isViewers(context, userId)),
  reactors: (source: ReactionGroup, args: ConnectionArgs, context: Context) =>
    connection(
      membersOf(source, context).map(({ userId }) => accountNode(context, userId)),
      args,
    ),
  users: (source: ReactionGroup, args: ConnectionArgs, context: Context) =>
    connection(
      membersOf(source, context).map(({ userId }) => context.db.users.must(userId)),
      args,
    ),
};

const mutations = {
  addReaction: (_: unknown, { input }: Input, context: Context) => {
    const subjectId = reactable(context, input.subjectId);
    demandUnlocked(context, subjectId);
    const { reaction } = addReaction(context.world, actorOf(context.viewer), subjectId, parseContent(input.content));
    return { reaction, subject: reactableNode(context, subjectId), reactionGroups: groupsOf(subjectId) };
  },
  removeReaction: (_: unknown, { input }: Input, context: Context) => {
    const subjectId = reactable(context, input.subjectId);
    const actor = actorOf(context.viewer);
    const reaction = findReaction(context.world.tables, subjectId, actor.userId, parseContent(input.content));
    if (reaction !== undefined) removeReaction(context.world, actor, reaction);
    return {
      reaction: reaction ?? null,
      subject: reactableNode(context, subjectId),
      reactionGroups: groupsOf(subjectId),
    };
  },
};

const ofSubject = reactableFields((subject: Issue | Pull, context) => issueHalf(context, subject));

export const reactionResolvers: ResolverMap = {
  Reaction: {
    id: (reaction: Reaction) => formatNodeId('reactions', reaction.id),
    databaseId: (reaction: Reaction) => reaction.id,
    content: (reaction: Reaction) => formatContent(reaction.content),
    createdAt: (reaction: Reaction) => isoTime(reaction.createdAt),
    user: (reaction: Reaction, _: unknown, { db }: Context) => db.users.must(reaction.userId),
    reactable: (reaction: Reaction, _: unknown, context: Context) => reactableNode(context, reaction.subjectId),
  },
  ReactionGroup: group,
  Issue: ofSubject,
  PullRequest: ofSubject,
  IssueComment: reactableFields((comment: Comment) => comment),
  Mutation: mutations,
};
