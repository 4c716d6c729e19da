import { z } from 'zod';
import { around, branchTraces, type EventReader, reader, touchedBranch } from './event-reader.js';

/* Pull requests are found by their branch: whatever others do to ours is a reason to look, and nothing more. */

const pull = z.object({ head: z.object({ ref: z.string() }) });

const changed = z.object({
  ...around,
  action: z.enum(['closed', 'reopened', 'synchronize', 'edited', 'converted_to_draft', 'ready_for_review', 'dequeued']),
  pull_request: pull,
});

const reviewed = z.object({ ...around, action: z.enum(['submitted', 'dismissed']), pull_request: pull });

const byOthers = (schema: typeof changed | typeof reviewed): EventReader => ({
  traces: branchTraces,
  read: reader<z.output<typeof changed> | z.output<typeof reviewed>>(schema, (payload, self) =>
    payload.sender.id === self.accountId ? null : touchedBranch(payload.repository, payload.pull_request.head.ref),
  ),
});

export const pullRequest = byOthers(changed);
export const pullRequestReview = byOthers(reviewed);
