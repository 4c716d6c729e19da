import type { GitCommit } from '../../git/git-repository.js';
import type { Oid } from '../../world/model.js';
import type { World } from '../../world/world.js';

/** Two commits held against each other: what the head has that the base lacks, and how much the other way round. */
export interface Comparison {
  readonly repositoryId: number;
  readonly base: Oid;
  readonly head: Oid;
  /** Oldest first. */
  readonly ahead: readonly GitCommit[];
  readonly behindBy: number;
}

export async function compareOids(world: World, repositoryId: number, base: Oid, head: Oid): Promise<Comparison> {
  const git = world.git(repositoryId);
  const [ahead, behind] = await Promise.all([git.log(base, head), git.log(head, base)]);
  return { repositoryId, base, head, ahead: ahead.toReversed(), behindBy: behind.length };
}

export function statusOf({ ahead, behindBy }: Comparison): 'identical' | 'ahead' | 'behind' | 'diverged' {
  if (behindBy === 0) return ahead.length === 0 ? 'identical' : 'ahead';
  return ahead.length === 0 ? 'behind' : 'diverged';
}
