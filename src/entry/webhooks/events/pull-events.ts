import { z } from 'zod';
import { common, reader, touchedBranch } from './payload-shapes.js';

const shape = z.object({ ...common, pull_request: z.object({ head: z.object({ ref: z.string() }) }) });

/** Pull requests are recognised by their branch. What others did to one is read from the snapshot. */
export const readPullRequest = reader(shape, ({ repository, sender, pull_request: pull }, self) =>
  sender.id === self.accountId ? null : touchedBranch(repository, pull.head.ref),
);
