import { z } from 'zod';
import { around, type EventReader, isOurs, issueOf, issueShape, reader } from './event-reader.js';

/* GitHub tells both ends of a relation, each in its own repository. We listen at the end that waits for the other. */

const subIssue = z.object({
  ...around,
  action: z.enum(['sub_issue_added', 'sub_issue_removed']),
  parent_issue: issueShape,
});

const dependency = z.object({
  ...around,
  action: z.enum(['blocked_by_added', 'blocked_by_removed']),
  blocked_issue: issueShape,
});

export const subIssues: EventReader = {
  read: reader(subIssue, ({ repository, sender, parent_issue: parent }, self) =>
    sender.id !== self.accountId && isOurs(parent)
      ? { kind: 'touched', ref: issueOf(repository, parent.number) }
      : null,
  ),
};

export const issueDependencies: EventReader = {
  read: reader(dependency, ({ repository, sender, blocked_issue: blocked }, self) =>
    sender.id !== self.accountId && isOurs(blocked)
      ? { kind: 'touched', ref: issueOf(repository, blocked.number) }
      : null,
  ),
};
