import { createExpiringLru } from '../../../cache/expiring-lru.js';
import { formatRepo, type RepoRef } from '../../../domain/issue/ids.js';
import type { Clock } from '../../../ports/clock.js';

/** How much of everything that can be long a snapshot asks for. */
export interface PageSizes {
  readonly comments: number;
  readonly checks: number;
  /** Pull requests of the work branch, with checks and reviews. */
  readonly ownPulls: number;
  /** Whether pull requests that are only found by name are sent with their checks. */
  readonly allChecks: boolean;
}

/** From everything down to what no rule can do without. What is left out is never taken for absent. */
const WHOLE: PageSizes = { comments: 100, checks: 100, ownPulls: 3, allChecks: true };
const SMALLER: readonly PageSizes[] = [
  { comments: 50, checks: 50, ownPulls: 1, allChecks: false },
  { comments: 20, checks: 20, ownPulls: 1, allChecks: false },
];

/** How long a repository is asked for less before it is asked for everything again. */
const REMEMBERED_MS = 60 * 60_000;
const MOST_REPOSITORIES = 1_000;

/** How much each repository is asked for. */
export interface Pages {
  of(repo: RepoRef): PageSizes;
  /** Ask for less from now on. `false` when there is nothing less to ask for. */
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
