import { z } from 'zod';
import type { GitHubEvent } from '../../../domain/intent/github-event.js';
import { phasesIn, runStatesIn, sizeIn } from '../../../domain/issue/label.js';
import {
  toActor,
  around,
  type EventReader,
  isOurs,
  issueOf,
  issueShape,
  reader,
  repositoryShape,
  type Self,
} from './event-reader.js';

const common = { ...around, issue: issueShape };
const was = z.object({ from: z.unknown() }).optional();

const shape = z.discriminatedUnion('action', [
  z.object({ ...common, action: z.literal(['labeled', 'unlabeled']), label: z.object({ name: z.string() }) }),
  z.object({ ...common, action: z.literal(['closed', 'reopened', 'deleted']) }),
  z.object({ ...common, action: z.literal('edited'), changes: z.object({ title: was, body: was }) }),
  z.object({
    ...common,
    action: z.literal('transferred'),
    changes: z
      .object({ new_issue: z.object({ number: z.int32().positive() }), new_repository: repositoryShape })
      .nullish(),
  }),
]);

type Payload = z.output<typeof shape>;
type Labelling = Extract<Payload, { label: unknown }>;

export const issues: EventReader = { read: reader(shape, toEvent) };

function toEvent(payload: Payload, self: Self): GitHubEvent | null {
  const { repository, issue, sender } = payload;
  // What we did ourselves we know, and followed up on.
  if (sender.id === self.accountId) return null;
  const fields = { ref: issueOf(repository, issue.number), actor: toActor(sender), at: issue.updated_at };
  switch (payload.action) {
    case 'labeled':
    case 'unlabeled':
      return labelEvent(payload, fields);
    case 'closed':
    case 'reopened':
      return isOurs(issue) || othersCare(issue) ? { kind: payload.action, ...fields } : null;
    case 'deleted':
      return isOurs(issue) ? { kind: 'deleted', ...fields } : null;
    case 'edited': {
      const changed = (['title', 'body'] as const).filter((part) => payload.changes[part] !== undefined);
      return isOurs(issue) && changed.length > 0 ? { kind: 'edited', ...fields, changed } : null;
    }
    case 'transferred': {
      const { new_issue: to, new_repository: at } = payload.changes ?? {};
      const target = to === undefined || at === undefined ? null : issueOf(at, to.number);
      return isOurs(issue) ? { kind: 'transferred', ...fields, to: target } : null;
    }
  }
}

function labelEvent(
  { action, label, issue }: Labelling,
  fields: Pick<Extract<GitHubEvent, { kind: 'closed' }>, 'ref' | 'actor' | 'at'>,
): GitHubEvent | null {
  const change = action === 'labeled' ? 'added' : 'removed';
  const [phase] = phasesIn([label.name]);
  if (phase !== undefined) return { kind: 'phase-label', change, phase, ...fields };
  // The size of an issue nobody drives is read when somebody asks for it.
  if (sizeIn([label.name]) !== null) return isOurs(issue) ? { kind: 'touched', ref: fields.ref } : null;
  if (runStatesIn([label.name]).length === 0) return null;
  // Nobody starts anything by saying that it runs; the label is put right.
  return change === 'added'
    ? { kind: 'touched', ref: fields.ref }
    : { kind: 'run-label-removed', label: label.name, ...fields };
}

/** An issue nobody drives may be what a driven one waits for, or part of one. */
function othersCare({ parent_issue_url, issue_dependencies_summary }: Payload['issue']): boolean {
  return (parent_issue_url ?? null) !== null || (issue_dependencies_summary?.total_blocking ?? 0) > 0;
}
