import { z } from 'zod';
import type { Context } from '../../http/context.js';
import { listReply, pageQuery } from '../../http/pagination.js';
import { ok } from '../../http/reply.js';
import { route } from '../../http/route.js';
import { notFound } from '../../world/errors.js';
import type { AnyWorldEvent } from '../../world/events.js';
import { fullName } from '../../world/lookup.js';
import type { Issue, Repository } from '../../world/model.js';
import { demandOn, READ, SEE } from '../issues/access.js';
import { issueJson } from '../issues/issue-json.js';
import { subjectIn } from '../issues/subject.js';
import { issueEventJson } from './event-json.js';
import { itemJson } from './item-json.js';
import { type Kind, kindOf } from './kinds.js';
import { historyOf, timelineOf } from './timeline-item.js';

interface Shown {
  readonly event: AnyWorldEvent;
  readonly kind: Kind;
}

function shownOf(event: AnyWorldEvent): Shown[] {
  const kind = kindOf(event);
  return kind === null ? [] : [{ event, kind }];
}

/** An event together with what it happened to; events of deleted issues went with them. */
function withIssue(context: Context, { event, kind }: Shown, issue: Issue) {
  return { ...issueEventJson(context, event, kind), issue: issueJson(context, issue) };
}

function eventsOfRepository({ db }: Context, repository: Repository): (Shown & { readonly issue: Issue })[] {
  return db.issues
    .by('repositoryId', repository.id)
    .flatMap((issue) =>
      historyOf(db, issue)
        .flatMap(shownOf)
        .map((shown) => ({ ...shown, issue })),
    )
    .sort((a, b) => b.event.id - a.event.id);
}

export const timelineRoutes = [
  route('GET /repos/{owner}/{repo}/issues/{issue_number}/timeline', {
    access: SEE,
    query: z.object(pageQuery),
    handle: async (request, repository) => {
      const { context, query } = request;
      const issue = subjectIn(request, repository, READ);
      const path = `/repos/${fullName(context.db, repository)}/issues/${issue.number}/timeline`;
      const items = await timelineOf(context, issue, { commits: true });
      const shown = items.filter((item) => item.shows !== 'event' || item.kind.notInTimeline !== true);
      return listReply(shown, query, context, path, (item) => itemJson(context, item));
    },
  }),
  route('GET /repos/{owner}/{repo}/issues/{issue_number}/events', {
    access: SEE,
    query: z.object(pageQuery),
    handle: (request, repository) => {
      const { context, query } = request;
      const issue = subjectIn(request, repository, READ);
      const path = `/repos/${fullName(context.db, repository)}/issues/${issue.number}/events`;
      const events = historyOf(context.db, issue).flatMap(shownOf);
      return listReply(events, query, context, path, ({ event, kind }) => issueEventJson(context, event, kind));
    },
  }),
  route('GET /repos/{owner}/{repo}/issues/events', {
    access: READ,
    query: z.object(pageQuery),
    handle: ({ context, query }, repository) => {
      const path = `/repos/${fullName(context.db, repository)}/issues/events`;
      const events = eventsOfRepository(context, repository);
      return listReply(events, query, context, path, (shown) => withIssue(context, shown, shown.issue));
    },
  }),
  route('GET /repos/{owner}/{repo}/issues/events/{event_id}', {
    access: SEE,
    handle: ({ context, params }, repository) => {
      const shown = eventsOfRepository(context, repository).find(
        ({ event }) => event.id === Number(params['event_id']),
      );
      if (shown === undefined) throw notFound();
      demandOn(context, shown.issue, READ);
      return ok(withIssue(context, shown, shown.issue));
    },
  }),
];
