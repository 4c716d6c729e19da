import { createLru } from '../../cache/lru.js';
import { parseRepoConfig, type RepoConfig, type RepoConfigReading } from '../../config/repo-config.js';
import { formatRepo, type Oid, type RepoRef } from '../../domain/issue/ids.js';
import type { Hold } from '../../domain/limits/policy.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { GitHost } from '../../ports/git-host.js';

/** Commits never change, so a configuration is read once. */
const REMEMBERED = 500;

/** Used when the configuration cannot be read: nothing lands automatically. */
const UNREADABLE: RepoConfig = { route: 'pr', merge: 'never' };

/** The configuration of repositories, at a commit of base. */
export interface RepoConfigs {
  /** Empty without a configuration; the strictest rules when it cannot be read. */
  at(repo: RepoRef, base: Oid): Promise<RepoConfig>;
  /** Its problems, one sentence each; empty when it can be read. */
  problemsAt(repo: RepoRef, base: Oid): Promise<readonly string[]>;
}

export function repoConfigs(gitHost: GitHost): RepoConfigs {
  const known = createLru<RepoConfigReading>(REMEMBERED);
  const read = async (repo: RepoRef, base: Oid): Promise<RepoConfigReading> => {
    const key = `${formatRepo(repo)} ${base}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const reading = parseRepoConfig((await gitHost.readFile(repo, base, '.github/sluice.yml')) ?? '');
    known.set(key, reading);
    return reading;
  };
  return {
    at: async (repo, base) => {
      const reading = await read(repo, base);
      return reading.kind === 'valid' ? reading.config : UNREADABLE;
    },
    problemsAt: async (repo, base) => {
      const reading = await read(repo, base);
      return reading.kind === 'valid' ? [] : reading.problems;
    },
  };
}

/** Problems shown at once. */
const MOST_PROBLEMS = 3;

/** Holds from the configuration: its kill switch, or that it cannot be read. */
export async function configHolds(
  configs: RepoConfigs,
  { ref, base }: Pick<IssueSnapshot, 'ref' | 'base'>,
): Promise<readonly Hold[]> {
  const problems = await configs.problemsAt(ref, base.head);
  if (problems.length > 0) {
    const [told, more] = [problems.slice(0, MOST_PROBLEMS), problems.length - MOST_PROBLEMS];
    const why = [...told, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
    return [{ on: 'config', until: null, because: `\`.github/sluice.yml\` on ${base.ref} cannot be read: ${why}` }];
  }
  const { enabled } = await configs.at(ref, base.head);
  return enabled === false ? [DISABLED] : [];
}

/** The kill switch of a repository. */
const DISABLED: Hold = {
  on: 'kill-switch',
  until: null,
  because: '`.github/sluice.yml` on the base branch says `enabled: false`',
};
