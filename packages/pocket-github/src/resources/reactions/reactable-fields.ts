import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import type { Context } from '../../http/context.js';
import { type ReactionContent, REACTIONS } from '../../world/model.js';
import { allowsOn, TAKE_PART } from '../issues/access.js';
import { issueOfReactable } from './rules.js';

/** GraphQL's words for reactions, in the order GitHub lists them. */
const WORDS: Readonly<Record<ReactionContent, string>> = {
  '+1': 'THUMBS_UP',
  '-1': 'THUMBS_DOWN',
  laugh: 'LAUGH',
  hooray: 'HOORAY',
  confused: 'CONFUSED',
  heart: 'HEART',
  rocket: 'ROCKET',
  eyes: 'EYES',
};

export const formatContent = (content: ReactionContent): string => WORDS[content];

export function parseContent(word: string): ReactionContent {
  const content = REACTIONS.find((candidate) => WORDS[candidate] === word);
  if (content === undefined) throw new Error(`no reaction is called ${word}`);
  return content;
}

/** All reactions of one kind on one subject. */
export interface ReactionGroup {
  readonly subjectId: number;
  readonly content: ReactionContent;
}

/** GitHub lists every kind, also those nobody gave. */
export function groupsOf(subjectId: number): ReactionGroup[] {
  return (Object.keys(WORDS) as ReactionContent[]).map((content) => ({ subjectId, content }));
}

interface ReactionArgs extends ConnectionArgs {
  readonly content?: string | null;
  readonly orderBy?: { readonly direction: 'ASC' | 'DESC' } | null;
}

/** Fields of GraphQL's `Reactable` interface. `rowOf` finds the record reactions are kept by: a pull request's is its issue half. */
export function reactableFields<S>(rowOf: (source: S, context: Context) => { readonly id: number }) {
  return {
    reactions: (source: S, args: ReactionArgs, context: Context) => {
      const wanted = args.content == null ? null : parseContent(args.content);
      const given = context.db.reactions
        .by('subjectId', rowOf(source, context).id)
        .filter((reaction) => wanted === null || reaction.content === wanted);
      const newestFirst = args.orderBy?.direction === 'DESC';
      return {
        ...connection(newestFirst ? given.toReversed() : given, args),
        viewerHasReacted: given.some((reaction) => isViewers(context, reaction.userId)),
      };
    },
    reactionGroups: (source: S, _: unknown, context: Context) => groupsOf(rowOf(source, context).id),
    viewerCanReact: (source: S, _: unknown, context: Context) => {
      const issue = issueOfReactable(context.db, rowOf(source, context).id);
      return !issue.locked && allowsOn(context, issue, TAKE_PART);
    },
  };
}

export function isViewers({ viewer }: Context, userId: number): boolean {
  return 'user' in viewer && viewer.user.id === userId;
}
