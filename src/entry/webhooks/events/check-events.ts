import { z } from 'zod';
import { common, reader, touchedBranch } from './payload-shapes.js';

/* Our own checks are recognised by their App: the sender is who pushed, which is us for every check. */

const app = z.object({ id: z.number() }).nullish();

const suite = z.object({ ...common, check_suite: z.object({ head_branch: z.string().nullish(), app }) });

const run = z.object({
  ...common,
  check_run: z.object({ app, check_suite: z.object({ head_branch: z.string().nullish() }).nullish() }),
});

const commitStatus = z.object({ ...common, branches: z.array(z.object({ name: z.string() })) });

export const readCheckSuite = reader(suite, ({ repository, check_suite: { app, head_branch } }, self) =>
  app?.id === self.appId ? null : touchedBranch(repository, head_branch),
);

export const readCheckRun = reader(run, ({ repository, check_run: { app, check_suite } }, self) =>
  app?.id === self.appId ? null : touchedBranch(repository, check_suite?.head_branch),
);

/** A commit may be on many branches; one of ours is enough. */
export const readStatus = reader(commitStatus, ({ repository, sender, branches }, self) => {
  const [found] = branches.flatMap(({ name }) => touchedBranch(repository, name) ?? []);
  return sender.id === self.accountId ? null : (found ?? null);
});
