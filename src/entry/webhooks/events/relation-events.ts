import { z } from 'zod';
import { common, isOurs, issueShape, reader, touchedIssue } from './payload-shapes.js';

/* GitHub sends both ends of a relation an event. We handle the end that waits for the other. */

const subIssue = z.object({ ...common, parent_issue: issueShape });
const dependency = z.object({ ...common, blocked_issue: issueShape });

export const readSubIssue = reader(subIssue, ({ repository, sender, parent_issue: parent }, self) =>
  sender.id !== self.accountId && isOurs(parent) ? touchedIssue(repository, parent.number) : null,
);

export const readDependency = reader(dependency, ({ repository, sender, blocked_issue: blocked }, self) =>
  sender.id !== self.accountId && isOurs(blocked) ? touchedIssue(repository, blocked.number) : null,
);
