import { z } from 'zod';
import { phasesIn, runStatesIn, sizeIn } from '../../../domain/issue/label.js';
import type { EventReader } from './payload-shapes.js';
import { common, isOurs, issueOf, issueShape, reader, repositoryShape, touchedIssue } from './payload-shapes.js';

/* Our own changes are ignored: we acted on them already. */

const shape = z.object({ ...common, issue: issueShape });
const labelled = shape.extend({ label: z.object({ name: z.string() }) });
const before = z.object({ from: z.unknown() }).optional();
const edited = shape.extend({ changes: z.object({ title: before, body: before }) });
const transferred = shape.extend({
  changes: z
    .object({ new_issue: z.object({ number: z.int32().positive() }), new_repository: repositoryShape })
    .nullish(),
});

type Payload = z.output<typeof shape>;

export const readLabelChange = readByOthers(labelled, ({ label, issue }) => {
  const names = [label.name];
  if (phasesIn(names).length > 0 || runStatesIn(names).length > 0) return true;
  // The size of an issue that is not driven is read when a run is requested.
  return sizeIn(names) !== null && isOurs(issue);
});

export const readStateChange = readByOthers(shape, ({ issue }) => isOurs(issue) || othersCare(issue));

export const readTextEdit = readByOthers(
  edited,
  ({ issue, changes }) => isOurs(issue) && (changes.title !== undefined || changes.body !== undefined),
);

/** The run continues at the new place; if the payload does not name it, the sweep finds it. */
export const readTransfer = reader(transferred, ({ sender, issue, changes }, self) => {
  if (sender.id === self.accountId || !isOurs(issue) || changes == null) return null;
  return { kind: 'touched', ref: issueOf(changes.new_repository, changes.new_issue.number) };
});

function readByOthers<One extends Payload>(schema: z.ZodType<One>, matters: (payload: One) => boolean): EventReader {
  return reader(schema, (payload, self) =>
    payload.sender.id !== self.accountId && matters(payload)
      ? touchedIssue(payload.repository, payload.issue.number)
      : null,
  );
}

/** Whether an issue that is not driven may block, or be part of, a driven one. */
function othersCare({ parent_issue_url, issue_dependencies_summary }: Payload['issue']): boolean {
  return (parent_issue_url ?? null) !== null || (issue_dependencies_summary?.total_blocking ?? 0) > 0;
}
