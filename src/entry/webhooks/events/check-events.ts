import { z } from 'zod';
import { around, branchTraces, type EventReader, reader, touchedBranch } from './event-reader.js';

/* Checks are told from ours by their App: their sender is who pushed, which is us. */

const app = z.object({ id: z.number() }).nullish();

const suite = z.object({
  ...around,
  action: z.literal('completed'),
  check_suite: z.object({ head_branch: z.string().nullish(), app }),
});

const run = z.object({
  ...around,
  action: z.literal('completed'),
  check_run: z.object({ app, check_suite: z.object({ head_branch: z.string().nullish() }).nullish() }),
});

const commitStatus = z.object({ ...around, branches: z.array(z.object({ name: z.string() })) });

export const checkSuite: EventReader = {
  traces: branchTraces,
  read: reader(suite, ({ repository, check_suite: { app, head_branch } }, self) =>
    app?.id === self.appId ? null : touchedBranch(repository, head_branch),
  ),
};

export const checkRun: EventReader = {
  traces: branchTraces,
  read: reader(run, ({ repository, check_run: { app, check_suite } }, self) =>
    app?.id === self.appId ? null : touchedBranch(repository, check_suite?.head_branch),
  ),
};

/** A commit may be on many branches; one of ours is enough. */
export const status: EventReader = {
  traces: branchTraces,
  read: reader(commitStatus, ({ repository, sender, branches }, self) => {
    const [found] = branches.flatMap(({ name }) => touchedBranch(repository, name) ?? []);
    return sender.id === self.accountId ? null : (found ?? null);
  }),
};
