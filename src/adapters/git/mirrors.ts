import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { formatRepo, type Oid, type RepoRef } from '../../domain/issue/ids.js';
import { GitHostError } from '../../ports/git-host.js';
import type { Log } from '../../ports/log.js';
import { createKeyedMutex } from '../../concurrency/keyed-mutex.js';
import { type Git, gitText } from './git-process.js';
import { removeLeftovers } from './leftovers.js';
import type { Remote } from './remote.js';

/** One bare repository for each GitHub repository, created on first use. Objects are never removed, because clones borrow them. */
export interface Mirrors {
  /** The mirror's path; it may be out of date. */
  open(repo: RepoRef): Promise<string>;
  /** Its path, with all branches as they are now. */
  refresh(repo: RepoRef): Promise<string>;
  /** Its path, with these commits in it. Fetches when one is missing; fails when it still is. */
  openWithCommits(repo: RepoRef, commits: readonly Oid[]): Promise<string>;
  /** The current oids of these refs, with their objects. Other fetches do not include them. */
  fetchRefs(repo: RepoRef, names: readonly string[]): Promise<ReadonlyMap<string, Oid>>;
}

export interface MirrorOptions {
  readonly git: Git;
  readonly remote: Remote;
  readonly folder: string;
  readonly deadlineMs: number;
  readonly log: Log;
}

/** Pruning removes refs, never objects. A deleted branch `x` would block a new `x/y`. Only the fetched refs are pruned. */
const FETCH = ['fetch', '--quiet', '--prune', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'];

export function createMirrors({ git, remote, folder, deadlineMs, log }: MirrorOptions): Mirrors {
  const mutex = createKeyedMutex();
  const opened = new Map<string, Promise<string>>();

  const make = async (path: string): Promise<string> => {
    await mkdir(path, { recursive: true });
    await removeLeftovers(path, deadlineMs);
    // Repeating this on an existing mirror changes nothing.
    await gitText(git, path, ['init', '--bare', '--quiet', '--template=', '--initial-branch=main']);
    return path;
  };

  const open = (repo: RepoRef): Promise<string> => {
    const path = join(folder, `${mirrorName(repo)}.git`);
    const making = opened.get(path) ?? make(path);
    opened.set(path, making);
    making.catch(() => opened.delete(path));
    return making;
  };

  const fetch = async (repo: RepoRef, path: string, specs: readonly string[]): Promise<void> => {
    const attempt = () => remote.must(repo, path, (url) => [...FETCH, url, ...specs]);
    try {
      await attempt();
    } catch (error) {
      if (!(await removeLeftovers(path, deadlineMs))) throw error;
      log.warn({ repo: formatRepo(repo) }, 'removed stale git files from mirror');
      await attempt();
    }
  };

  const refresh = async (repo: RepoRef): Promise<string> => {
    const path = await open(repo);
    return mutex(path, async () => {
      await fetch(repo, path, ['+refs/heads/*:refs/heads/*']);
      return path;
    });
  };

  return {
    open,
    refresh,
    openWithCommits: async (repo, commits) => {
      const path = await open(repo);
      if ((await missing(git, path, commits)).length === 0) return path;
      await refresh(repo);
      const [absent] = await missing(git, path, commits);
      if (absent !== undefined)
        throw new GitHostError(`There is no commit ${absent} in ${formatRepo(repo)}.`, 'permanent');
      return path;
    },
    fetchRefs: async (repo, names) => {
      const path = await open(repo);
      return mutex(path, async () => {
        const refs = await remote.refs(repo, path, names);
        const absent = new Set(await missing(git, path, [...refs.values()]));
        const wanted = [...refs].filter(([, oid]) => absent.has(oid));
        // Kept under a ref of ours, so that the next fetch transfers only what is new.
        const specs = wanted.map(([name, oid]) => `+${oid}:refs/sluice-seen/${name.replaceAll('/', '+')}`);
        if (specs.length > 0) await fetch(repo, path, specs);
        return refs;
      });
    },
  };
}

/** GitHub ignores case: `Ada/Sandbox` is `ada/sandbox`. */
const mirrorName = ({ owner, repo }: RepoRef): string =>
  `${encodeURIComponent(owner)}+${encodeURIComponent(repo)}`.toLowerCase();

/** Those this repository does not have. */
async function missing(git: Git, path: string, commits: readonly Oid[]): Promise<readonly Oid[]> {
  if (commits.length === 0) return [];
  const answer = await gitText(git, path, ['cat-file', '--batch-check=%(objecttype)'], {
    input: `${commits.join('\n')}\n`,
  });
  const kinds = answer.split('\n');
  return commits.filter((_, index) => kinds[index] !== 'commit');
}
