import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { issueHalf } from '../../graphql/nodes.js';
import { type ResolverMap, tagged, typenameOf } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { UnmodelledError } from '../../world/errors.js';
import type { Issue, Pull } from '../../world/model.js';
import { isoTime } from '../../world/time.js';
import { issueEventResolvers } from './issue-events.js';
import { TIMELINE_TYPES } from './kinds.js';
import { pullEventResolvers } from './pull-events.js';
import { historyOf, type TimelineItem, timelineOf } from './timeline-item.js';

interface TimelineArgs extends ConnectionArgs {
  readonly itemTypes?: readonly string[] | null;
  readonly since?: string | null;
}

/** `LabeledEvent` → `LABELED_EVENT`. */
const itemTypeOf = (typename: string): string => typename.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();

const MODELLED = new Set([...TIMELINE_TYPES].map(itemTypeOf));

/** The node an item is shown as. Events of before a transfer belong to the issue they are shown with. */
function nodeOf(item: TimelineItem, issue: Issue) {
  const event = { ...item.event, subjectId: issue.id };
  if (item.shows === 'comment') return tagged('IssueComment', item.comment);
  if (item.shows === 'review') return tagged('PullRequestReview', item.review);
  if (item.shows === 'commit') return tagged('PullRequestCommit', { pull: item.pull, oid: item.commit.oid });
  if (item.shows === 'mention') return tagged('CrossReferencedEvent', event);
  return item.kind.type === null ? null : tagged(item.kind.type, event);
}

async function timelineItems(subject: Issue | Pull, args: TimelineArgs, context: Context) {
  const issue = issueHalf(context, subject);
  const wanted = args.itemTypes == null ? null : new Set(args.itemTypes);
  for (const type of wanted ?? [])
    if (!MODELLED.has(type)) throw new UnmodelledError(`timelineItems(itemTypes: ${type})`);
  const since = args.since == null ? Number.NEGATIVE_INFINITY : Date.parse(args.since);
  const items = await timelineOf(context, issue, { commits: wanted === null || wanted.has('PULL_REQUEST_COMMIT') });
  const nodes = items
    .filter((item) => item.event.at >= since)
    .flatMap((item) => nodeOf(item, issue) ?? [])
    .filter((node) => wanted === null || wanted.has(itemTypeOf(typenameOf(node))));
  const page = connection(nodes, args);
  return {
    ...page,
    filteredCount: connection(nodes, { after: args.after ?? null, before: args.before ?? null, first: nodes.length })
      .nodes.length,
    pageCount: page.nodes.length,
    updatedAt: isoTime(historyOf(context.db, issue).at(-1)?.at ?? issue.createdAt),
  };
}

export const timelineResolvers: ResolverMap = {
  Issue: { timelineItems },
  PullRequest: { timelineItems },
  ...issueEventResolvers,
  ...pullEventResolvers,
};
