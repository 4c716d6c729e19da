import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RepoRef } from '../../domain/issue/ids.js';
import type { Redact } from '../../domain/sanitise/redact.js';
import type { Clock } from '../../ports/clock.js';
import type { GitHost } from '../../ports/git-host.js';
import type { Log } from '../../ports/log.js';
import { BUNDLE_LIMITS, type BundleLimits } from './bundle-limits.js';
import { createCommits, type GitIdentity, isAncestor, isRelated, isSameObject, readBlob, readLog } from './commits.js';
import { createGit } from './git-process.js';
import { withHarmlessMessages } from './harmless-messages.js';
import { keepCommit } from './kept-commits.js';
import { createMirrors } from './mirrors.js';
import { pushRefs } from './push.js';
import { createRemote } from './remote.js';
import { protectedChanges } from './protected-changes.js';
import { takeBundle } from './take-bundle.js';
import type { TreeSizes } from './tree-sizes.js';

export interface GitHostOptions {
  /** Where the mirrors are. */
  readonly folder: string;
  /** A repository's address for git, without any credential in it. */
  readonly remoteUrl: (repo: RepoRef) => string;
  /** The token for git; `null` for anonymous access. */
  readonly token: (repo: RepoRef) => Promise<string | null>;
  /** Author and committer of our own commits. */
  readonly identity: GitIdentity;
  /** Removes secrets from messages. */
  readonly redact?: Redact;
  readonly clock: Clock;
  readonly log: Log;
  /** How long any git process may take. */
  readonly deadlineMs: number;
  readonly limits?: Partial<BundleLimits>;
}

export function createGitHost({
  folder,
  remoteUrl,
  token,
  identity,
  redact,
  clock,
  log,
  deadlineMs,
  limits,
}: GitHostOptions): GitHost {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const git = createGit({ home, deadlineMs });
  const remote = createRemote({ git, remoteUrl, token });
  const mirrors = createMirrors({ git, remote, folder, deadlineMs, log });
  const sizes: TreeSizes = new Map();
  const commits = createCommits(git, { identity, redact }, clock);
  return {
    mirror: (repo) => mirrors.refresh(repo),
    fetch: (repo, refs) => mirrors.fetchRefs(repo, refs),
    takeBundle: async (repo, file, tip, known = []) => {
      const path = await mirrors.open(repo);
      const bundle = { file, tip, known, limits: { ...BUNDLE_LIMITS, ...limits }, sizes };
      return withHarmlessMessages(git, path, { tip: await takeBundle(git, path, bundle), known, redact });
    },
    writeCommit: async (repo, commit) => commits.write(await mirrors.open(repo), commit),
    squash: async (repo, squash) =>
      commits.squash(await mirrors.openWithCommits(repo, [squash.tip, squash.onto]), squash),
    merge: async (repo, merge) =>
      commits.merge(await mirrors.openWithCommits(repo, [merge.first, merge.second]), merge),
    contains: async (repo, commit, ancestor) => isAncestor(git, await mirrors.open(repo), ancestor, commit),
    isRelated: async (repo, pair) => isRelated(git, await mirrors.openWithCommits(repo, pair), pair),
    isSameAt: async (repo, path, pair) => isSameObject(git, await mirrors.openWithCommits(repo, pair), path, pair),
    protectedChanges: async (repo, question) => {
      const { tip, base, trusted } = question;
      return protectedChanges(git, await mirrors.openWithCommits(repo, [tip, base, ...trusted]), question);
    },
    push: async (repo, refs) => pushRefs(remote, repo, await mirrors.open(repo), refs),
    keep: async (repo, { name, commit }) => {
      const mirror = await mirrors.open(repo);
      return { mirror, name: await keepCommit(git, mirror, { name, commit, now: clock.now() }) };
    },
    readFile: async (repo, commit, path) => {
      const found = await readBlob(git, await mirrors.open(repo), commit, path);
      // Fetch before saying that a commit lacks a file.
      return found ?? readBlob(git, await mirrors.openWithCommits(repo, [commit]), commit, path);
    },
    log: async (repo, tip, limit) => readLog(git, await mirrors.open(repo), tip, limit),
  };
}
