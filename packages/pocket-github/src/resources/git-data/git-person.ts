import { z } from 'zod';
import type { GitPerson } from '../../git/git-repository.js';
import { timeParameter } from '../../http/time-parameter.js';
import type { World } from '../../world/world.js';

/** Who made a commit or tag, as clients write it. */
export const personBody = z.object({ name: z.string(), email: z.string(), date: timeParameter.optional() });

export function personOf(world: World, { name, email, date }: z.infer<typeof personBody>): GitPerson {
  return { name, email, at: date === undefined ? world.now() : Date.parse(date) };
}
