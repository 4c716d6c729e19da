import { appendFile, chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MergeMethod, Oid } from '../world/model.js';
import { EMPTY_TREE, fileChanges } from './file-changes.js';
import { GitCommands } from './git-command.js';
import { homeOf } from './git-process.js';
import type {
  GitCommit,
  GitFileChange,
  GitObject,
  GitPerson,
  GitRepository,
  GitTag,
  GitTreeEntry,
  LogOptions,
  NewCommit,
  RefUpdate,
  TouchedPaths,
} from './git-repository.js';
import { mergeCommit, mergeTrees, type MergeTools } from './merges.js';
import { checkNewCommit } from './new-commit.js';
import { ObjectReader } from './objects/object-reader.js';
import { ObjectStore } from './objects/object-store.js';
import { RECEIVE_HOOK } from './protocol/receive-hook.js';
import { updateRefs } from './ref-updates.js';
import { touchedPaths } from './touched-paths.js';
import { type TreeEdit, writeTree } from './objects/tree-writer.js';

export interface BareRepositoryOptions {
  /** How long one git command may take. */
  readonly deadlineMs?: number;
}

const CONFIG = `[gc]
	auto = 0
[maintenance]
	auto = false
[core]
	fsync = none
[receive]
	autogc = false
	fsckObjects = true
	denyDeleteCurrent = refuse
	# Pull request refs are GitHub's own: clients fetch them, nobody pushes them.
	hideRefs = refs/pull
[uploadpack]
	allowAnySHA1InWant = true
	allowFilter = true
`;

/** Makes a new repository at `path`. */
export async function createBareRepository(
  path: string,
  { defaultBranch, ...options }: BareRepositoryOptions & { readonly defaultBranch: string },
): Promise<GitRepository> {
  await mkdir(homeOf(path), { recursive: true });
  await new GitCommands(path, options.deadlineMs).run([
    'init',
    '--quiet',
    '--bare',
    '--template=',
    `--initial-branch=${defaultBranch}`,
    path,
  ]);
  await appendFile(join(path, 'config'), CONFIG);
  await mkdir(join(path, 'hooks'));
  for (const hook of ['pre-receive', 'update']) {
    const file = join(path, 'hooks', hook);
    await writeFile(file, RECEIVE_HOOK);
    await chmod(file, 0o755);
  }
  return new BareRepository(path, options.deadlineMs);
}

/**
 * Opens a repository that `createBareRepository` made.
 * @internal Pocket itself starts with none; its tests open one again.
 */
export async function openBareRepository(path: string, options: BareRepositoryOptions = {}): Promise<GitRepository> {
  await new GitCommands(path, options.deadlineMs).run(['rev-parse', '--git-dir']);
  return new BareRepository(path, options.deadlineMs);
}

class BareRepository implements GitRepository {
  readonly path: string;
  readonly #git: GitCommands;
  readonly #reader: ObjectReader;
  readonly #objects: ObjectStore;
  readonly #mergeTools: MergeTools;

  constructor(path: string, deadlineMs: number | undefined) {
    this.path = path;
    this.#git = new GitCommands(path, deadlineMs);
    this.#reader = new ObjectReader(path);
    this.#objects = new ObjectStore(this.#reader);
    this.#mergeTools = {
      git: this.#git,
      commit: (oid) => this.#mustCommit(oid),
      log: (from, to) => this.log(from, to),
      writeCommit: (commit) => this.writeCommit(commit),
    };
  }

  object(oid: Oid): Promise<GitObject | null> {
    return this.#objects.object(oid);
  }

  commit(oid: Oid): Promise<GitCommit | null> {
    return this.#objects.commit(oid);
  }

  entryAt(treeish: Oid, path: string): Promise<GitTreeEntry | null> {
    return this.#objects.entryAt(treeish, path);
  }

  async resolve(expression: string): Promise<Oid | null> {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', expression];
    const { exitCode, stdout } = await this.#git.run(args, { accept: [0, 1, 128] });
    const oid = stdout.toString().trim();
    // git takes any forty hex digits for an object, whether it has one or not.
    return exitCode === 0 && (await this.#objects.exists(oid)) ? oid : null;
  }

  mergeBase(a: Oid, b: Oid): Promise<Oid | null> {
    return this.#git.oidOrNull(['merge-base', a, b]);
  }

  isAncestor(ancestor: Oid, descendant: Oid): Promise<boolean> {
    return this.#git.test(['merge-base', '--is-ancestor', ancestor, descendant]);
  }

  async log(from: Oid | null, to: Oid, options: LogOptions = {}): Promise<readonly GitCommit[]> {
    const args = ['rev-list', '--date-order', to];
    for (const known of from === null ? (options.not ?? []) : [from, ...(options.not ?? [])]) args.push(`^${known}`);
    if (options.limit !== undefined) args.push(`--max-count=${options.limit}`);
    args.push('--');
    if (options.path !== undefined) args.push(`:(literal)${options.path}`);
    const oids = (await this.#git.text(args)).split('\n').filter(Boolean);
    return Promise.all(oids.map((oid) => this.#mustCommit(oid)));
  }

  changes(from: Oid | null, to: Oid): Promise<readonly GitFileChange[]> {
    return fileChanges(this.#git, from, to);
  }

  touchedPaths(commits: readonly GitCommit[]): Promise<ReadonlyMap<Oid, TouchedPaths>> {
    return touchedPaths(this.#git, commits);
  }

  async diff(from: Oid | null, to: Oid): Promise<string> {
    return (await this.#git.run(['diff', '-M', from ?? EMPTY_TREE, to])).stdout.toString();
  }

  async patch(from: Oid | null, to: Oid): Promise<string> {
    const range = from === null ? ['--root', to] : [`${from}..${to}`];
    return (await this.#git.run(['format-patch', '--stdout', '-M', ...range])).stdout.toString();
  }

  writeBlob(content: Buffer): Promise<Oid> {
    return this.#git.text(['hash-object', '-w', '--stdin'], { input: content });
  }

  writeTree(base: Oid | null, entries: readonly TreeEdit[]): Promise<Oid> {
    return writeTree(this.#git, this.#objects, base, entries);
  }

  async writeCommit(commit: NewCommit): Promise<Oid> {
    checkNewCommit(commit);
    const { tree, parents, message, author, committer } = commit;
    const args = ['commit-tree', tree, '-F', '-', ...parents.flatMap((parent) => ['-p', parent])];
    return this.#git.text(args, {
      input: message,
      env: { ...identity('AUTHOR', author), ...identity('COMMITTER', committer) },
    });
  }

  writeTag({ name, target, targetType, message, tagger }: GitTag & { readonly tagger: GitPerson }): Promise<Oid> {
    const { at, zone = '+0000' } = tagger;
    // As git does for commits, so that a name cannot forge a header.
    const [who, email] = [tagger.name, tagger.email].map((text) => text.replaceAll(/[\n<>]/g, '').trim());
    const signed = `tagger ${who} <${email}> ${Math.floor(at / 1000)} ${zone}`;
    const lines = [`object ${target}`, `type ${targetType}`, `tag ${name}`, signed, '', message];
    return this.#git.text(['hash-object', '-t', 'tag', '-w', '--stdin'], { input: `${lines.join('\n')}\n` });
  }

  mergeTrees(base: Oid, head: Oid): Promise<Oid | null> {
    return mergeTrees(this.#mergeTools, base, head);
  }

  mergeCommit(
    base: Oid,
    head: Oid,
    method: MergeMethod,
    commit: Omit<NewCommit, 'tree' | 'parents'>,
  ): Promise<Oid | null> {
    return mergeCommit(this.#mergeTools, base, head, method, commit);
  }

  updateRefs(updates: readonly RefUpdate[]): Promise<boolean> {
    return updateRefs(this.#git, updates, () => this.listRefs());
  }

  async listRefs(): Promise<ReadonlyMap<string, Oid>> {
    const lines = (await this.#git.text(['for-each-ref', '--format=%(refname) %(objectname)']))
      .split('\n')
      .filter(Boolean);
    return new Map(lines.map((line) => [line.slice(0, -41), line.slice(-40)]));
  }

  async takeFrom(other: GitRepository, oids: readonly Oid[]): Promise<void> {
    const missing = await Promise.all(oids.map(async (oid) => ((await this.#objects.exists(oid)) ? [] : [oid])));
    if (missing.flat().length === 0) return;
    // Without tags and FETCH_HEAD: only objects come over, refs are for `updateRefs`.
    await this.#git.run(['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', other.path, ...missing.flat()]);
  }

  async setDefaultBranch(branch: string): Promise<void> {
    await this.#git.run(['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  }

  async close(): Promise<void> {
    this.#git.close();
    await this.#reader.close();
  }

  async #mustCommit(oid: Oid): Promise<GitCommit> {
    const commit = await this.commit(oid);
    if (commit === null) throw new Error(`${oid} is not a commit in ${this.path}`);
    return commit;
  }
}

function identity(
  role: 'AUTHOR' | 'COMMITTER',
  { name, email, at, zone = '+0000' }: GitPerson,
): Record<string, string> {
  return {
    [`GIT_${role}_NAME`]: name,
    [`GIT_${role}_EMAIL`]: email,
    [`GIT_${role}_DATE`]: `@${Math.floor(at / 1000)} ${zone}`,
  };
}
