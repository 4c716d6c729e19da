import { createLru } from '../../cache/lru.js';
import { parseRepoConfig, type RepoConfig } from '../../config/repo-config.js';
import { formatRepo, type Oid, type RepoRef } from '../../domain/issue/ids.js';
import type { GitHost } from '../../ports/git-host.js';

/** Commits do not change: what was read once is right for ever. */
const REMEMBERED = 500;

/** Whatever rules it was meant to hold: nothing lands by itself until they can be read. */
const UNREADABLE: RepoConfig = { route: 'pr', merge: 'never' };

/** What repositories say about themselves, on a commit of their base branch. */
export interface RepoConfigs {
  /** Nothing when there is no configuration. Opening a clone says what is wrong with one that cannot be read. */
  at(repo: RepoRef, base: Oid): Promise<RepoConfig>;
}

export function repoConfigs(gitHost: GitHost): RepoConfigs {
  const known = createLru<RepoConfig>(REMEMBERED);
  return {
    at: async (repo, base) => {
      const key = `${formatRepo(repo)} ${base}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const reading = parseRepoConfig((await gitHost.readFile(repo, base, '.github/sluice.yml')) ?? '');
      const config = reading.kind === 'valid' ? reading.config : UNREADABLE;
      known.set(key, config);
      return config;
    },
  };
}
