import { formatInstant } from '../../domain/issue/instant.js';
import type { RunEvent } from '../../domain/events/run-event.js';
import {
  type EventId,
  type EventLog,
  FIRST,
  type Gap,
  type LoggedEvent,
  type PassingActivity,
} from '../../ports/event-log.js';
import type { Answer } from './answer.js';

/** An event as the API shows it: flat, with readable times. */
export function eventView(id: string, event: RunEvent): object {
  const view = { id, ...event, at: formatInstant(event.at) };
  return event.kind === 'waiting' ? { ...view, until: event.until === null ? null : formatInstant(event.until) } : view;
}

/** One message of the stream. Only events that a client can resume from have an id. */
export function message(one: LoggedEvent | Gap | PassingActivity): string {
  switch (one.kind) {
    case 'event':
      return `id: ${one.id}\n${sseMessage(one.event.kind, eventView(one.id, one.event))}`;
    case 'gap':
      return sseMessage('gap', { kind: 'gap' });
    case 'activity': {
      const { kind: doing, at, ...activity } = one.activity;
      return sseMessage('agent-activity', { ...activity, kind: 'agent-activity', doing, at: formatInstant(at) });
    }
  }
}

const sseMessage = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Which events a client wants. */
export interface EventFilter {
  /** `owner/name` */
  readonly repo?: string;
  readonly issue?: string;
}

/** Whether a filter matches. Gaps are shown to everybody. */
export function shows({ repo, issue }: EventFilter, one: LoggedEvent | Gap | PassingActivity): boolean {
  if (one.kind === 'gap') return true;
  const { owner, repo: name, number } = one.kind === 'event' ? one.event.issue : one.activity.issue;
  const here = repo === undefined || repo.toLowerCase() === `${owner}/${name}`.toLowerCase();
  return here && (issue === undefined || issue === String(number));
}

/** One page of events. */
export async function eventPage(log: EventLog, since: EventId, limit: number, filter: EventFilter): Promise<Answer> {
  const page = await log.since(since, limit);
  const last = page.findLast((one) => one.kind === 'event');
  const gap = page[0]?.kind === 'gap';
  const events = page.flatMap((one) =>
    one.kind === 'event' && shows(filter, one) ? [eventView(one.id, one.event)] : [],
  );
  return { status: 200, body: { gap, events, next: last?.id ?? (gap ? FIRST : since) } };
}
