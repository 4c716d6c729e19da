import { accountNode, subjectNode } from '../../graphql/nodes.js';
import type { Context } from '../../http/context.js';
import type { EventName, WorldEvent } from '../../world/events.js';
import type { Pull } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { issueUrls } from '../issues/issue-urls.js';

/** An event as a node: always of a subject. */
export type EventNode<N extends EventName = EventName> = WorldEvent<N> & { readonly subjectId: number };

/** What every timeline event has. */
export const eventFields = {
  id: (event: EventNode) => formatNodeId('events', event.id),
  actor: (event: EventNode, _: unknown, context: Context) => accountNode(context, event.actorId),
  createdAt: (event: EventNode) => isoTime(event.at),
};

const placeOf = (event: EventNode, context: Context): string => {
  const { html_url: url } = issueUrls(context, context.db.issues.must(event.subjectId));
  return `${url}#event-${event.id}`;
};

/** Of the events that can be linked to. */
export const eventAddress = {
  url: (event: EventNode, _: unknown, context: Context) => placeOf(event, context),
  resourcePath: (event: EventNode, _: unknown, context: Context) =>
    placeOf(event, context).slice(context.urls.html.length),
};

/** The issue or pull request it happened to. */
export const subjectField = (event: EventNode, _: unknown, context: Context) => subjectNode(context, event.subjectId);

export const pullOf = (event: EventNode, _: unknown, { db }: Context): Pull =>
  db.pulls.must(db.issues.must(event.subjectId).pullId ?? 0);

/** GitHub types some actors as `User`; a bot is none, and is not shown there. */
export function userOnly(context: Context, userId: number) {
  const account = accountNode(context, userId);
  return account.type === 'User' ? account : null;
}
