import { createExpiringLru } from '../../../cache/expiring-lru.js';
import { formatRepo, type RepoRef } from '../../../domain/issue/ids.js';
import type { Clock } from '../../../ports/clock.js';

/** Page sizes of a snapshot query. */
export interface PageSizes {
  readonly comments: number;
  readonly checks: number;
  /** Pull requests of the work branch, with checks and reviews. */
  readonly ownPulls: number;
  /** Whether pull requests found only by name come with their checks. */
  readonly allChecks: boolean;
}

/** From everything down to the minimum that the rules need. What was left out never counts as absent. */
const WHOLE: PageSizes = { comments: 100, checks: 100, ownPulls: 3, allChecks: true };
const SMALLER: readonly PageSizes[] = [
  { comments: 50, checks: 50, ownPulls: 1, allChecks: false },
  { comments: 20, checks: 20, ownPulls: 1, allChecks: false },
];

/** How long a repository keeps smaller pages before the full size is tried again. */
const REMEMBERED_MS = 60 * 60_000;
const MOST_REPOSITORIES = 1_000;

/** The page sizes of each repository. */
export interface Pages {
  of(repo: RepoRef): PageSizes;
  /** Uses smaller pages from now on. `false` when they are the smallest already. */
  shrink(repo: RepoRef): boolean;
}

export function createPages(clock: Clock): Pages {
  const shrunk = createExpiringLru<number>(clock, MOST_REPOSITORIES);
  const levelOf = (repo: RepoRef): number => shrunk.get(formatRepo(repo)) ?? 0;
  return {
    of: (repo) => SMALLER[levelOf(repo) - 1] ?? WHOLE,
    shrink: (repo) => {
      const level = levelOf(repo);
      if (level >= SMALLER.length) return false;
      shrunk.set(formatRepo(repo), level + 1, REMEMBERED_MS);
      return true;
    },
  };
}
