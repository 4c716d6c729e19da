import { createGit } from '../../../src/adapters/git/git-process.js';
import { protectedChanges } from '../../../src/adapters/git/protected-changes.js';
import { isPassing } from '../../../src/adapters/git/push.js';
import { formatRepo, type Oid, type RepoRef } from '../../../src/domain/issue/ids.js';
import { publishPlain } from '../../../src/domain/sanitise/publish.js';
import type { Pocket } from '#pocket-github';
import {
  actorOf,
  allows,
  authenticate,
  findRef,
  findRepository,
  GitCommands,
  type GitCommit,
  type GitRepository,
  IncomingUpdate,
  moveRefs,
  pushPolicy,
  type RefUpdate,
  refusalByFault,
  type Repository,
  viewerName,
} from '#pocket-github/testing';
import type { Clock } from '../../../src/ports/clock.js';
import {
  type CommitFacts,
  type GitHost,
  GitHostError,
  type KeptCommit,
  type ProtectedQuestion,
  type PushResult,
  type RefPush,
  type Squashed,
} from '../../../src/ports/git-host.js';
import { GitObjects, type TreeFiles } from '#pocket-github/test/git-objects';

export interface GitDoubleOptions {
  readonly pocket: Pocket;
  readonly token: (repo: RepoRef) => Promise<string>;
  /** Author and committer of our own commits. */
  readonly identity: { readonly name: string; readonly email: string };
  readonly clock: Clock;
}

const WRITE = { app: 'contents:write', role: 'write' } as const;

/**
 * A git host without processes or disk, directly on Pocket GitHub's repositories: same contract, same push rules. It has no mirror for a
 * sandbox and accepts no bundles.
 */
export class GitDouble implements GitHost {
  /** Commits GitHub refused, by name. */
  readonly kept = new Map<string, Oid>();
  readonly #pocket: Pocket;
  readonly #token: GitDoubleOptions['token'];
  readonly #identity: GitDoubleOptions['identity'];
  readonly #clock: Clock;
  /** The commits a mirror would hold: made here or fetched. */
  readonly #here = new Set<Oid>();

  constructor({ pocket, token, identity, clock }: GitDoubleOptions) {
    this.#pocket = pocket;
    this.#token = token;
    this.#identity = identity;
    this.#clock = clock;
  }

  mirror(): Promise<string> {
    return Promise.reject(new Error('the double has no mirror'));
  }

  takeBundle(): Promise<Oid> {
    return Promise.reject(new Error('the double takes no bundles'));
  }

  async fetch(repo: RepoRef, refs: readonly string[]): Promise<ReadonlyMap<string, Oid>> {
    const found = new Map<string, Oid>();
    const names = refs.flatMap((name) => (name.endsWith('/*') ? this.#below(repo, name.slice(0, -1)) : [name]));
    for (const name of names) {
      const oid = this.#refAt(repo, name);
      if (oid === null) continue;
      found.set(name, oid);
      await this.#bring(repo, oid);
    }
    return found;
  }

  async writeCommit(repo: RepoRef, { files, parent, message }: Parameters<GitHost['writeCommit']>[1]): Promise<Oid> {
    const objects = new GitObjects(this.#git(repo));
    const tree = new Map(Object.entries(files).map(([path, text]) => [path, objects.blob(text)]));
    return this.#commit(repo, objects.tree(tree), parent === null ? [] : [parent], message);
  }

  /** The files of a commit. */
  async filesOf(repo: RepoRef, oid: Oid): Promise<TreeFiles> {
    const { tree } = await this.#holding(repo, oid);
    return new GitObjects(this.#git(repo)).files(tree);
  }

  /** Commits a changed checkout of `parent`, as a merge if something was merged; `null` when nothing changed. */
  async commitCheckout(
    repo: RepoRef,
    texts: ReadonlyMap<string, string>,
    { parent, merged, message }: { readonly parent: Oid; readonly merged: Oid | null; readonly message: string },
  ): Promise<Oid | null> {
    const objects = new GitObjects(this.#git(repo));
    const before = await this.#holding(repo, parent);
    const old = await objects.files(before.tree);
    const mode = (path: string): string => old.get(path)?.mode ?? '100644';
    const files = new Map([...texts].map(([path, text]) => [path, { ...objects.blob(text), mode: mode(path) }]));
    const tree = objects.tree(files);
    if (merged !== null) await this.#holding(repo, merged);
    if (tree === before.tree && merged === null) return null;
    return this.#commit(repo, tree, merged === null ? [parent] : [parent, merged], message);
  }

  async squash(repo: RepoRef, { tip, onto, message }: Parameters<GitHost['squash']>[1]): Promise<Squashed | null> {
    const theirs = await this.#holding(repo, tip);
    await this.#holding(repo, onto);
    const tree = await this.#mergedTree(repo, onto, tip);
    if (tree === null) return null;
    return { oid: this.#commit(repo, tree, [onto], message), isSameTree: tree === theirs.tree };
  }

  async merge(repo: RepoRef, { first, second, take, message }: Parameters<GitHost['merge']>[1]): Promise<Oid | null> {
    const ours = await this.#holding(repo, first);
    await this.#holding(repo, second);
    const tree = take === 'first' ? ours.tree : await this.#mergedTree(repo, first, second);
    return tree === null ? null : this.#commit(repo, tree, [first, second], message);
  }

  async contains(repo: RepoRef, commit: Oid, ancestor: Oid): Promise<boolean> {
    if (!this.#here.has(commit) || !this.#here.has(ancestor)) return false;
    return this.#isAncestor(repo, ancestor, commit);
  }

  async isRelated(repo: RepoRef, [one, other]: readonly [Oid, Oid]): Promise<boolean> {
    for (const oid of [one, other]) await this.#holding(repo, oid);
    return (await this.#git(repo).mergeBase(one, other)) !== null;
  }

  async isSameAt(repo: RepoRef, path: string, commits: readonly [Oid, Oid]): Promise<boolean> {
    const entries: (Oid | undefined)[] = [];
    for (const oid of commits)
      entries.push((await this.#git(repo).entryAt((await this.#holding(repo, oid)).tree, path))?.oid);
    return entries[0] === entries[1];
  }

  async protectedChanges(repo: RepoRef, question: ProtectedQuestion): Promise<readonly string[]> {
    for (const oid of [question.tip, question.base, ...question.trusted]) await this.#holding(repo, oid);
    const { path } = this.#git(repo);
    return protectedChanges(createGit({ home: path, deadlineMs: 60_000 }), path, question);
  }

  /** Merges without a process if one side is unchanged. */
  async #mergedTree(repo: RepoRef, first: Oid, second: Oid): Promise<Oid | null> {
    const git = this.#git(repo);
    if (await this.#isAncestor(repo, first, second)) return (await this.#holding(repo, second)).tree;
    if (await this.#isAncestor(repo, second, first)) return (await this.#holding(repo, first)).tree;
    return git.mergeTrees(first, second);
  }

  async #isAncestor(repo: RepoRef, ancestor: Oid, commit: Oid): Promise<boolean> {
    return ancestor === commit || this.#git(repo).isAncestor(ancestor, commit);
  }

  async push(repo: RepoRef, refs: readonly RefPush[]): Promise<PushResult> {
    const { world, urls, faults } = this.#pocket;
    const repository = this.#repository(repo);
    const viewer = authenticate(world.tables, `token ${await this.#token(repo)}`, world.now());
    if (!allows(world.tables, viewer, repository, WRITE))
      return { kind: 'refused', ref: refs[0]?.ref ?? '', why: 'permission denied', isPassing: true };
    const where = { repository: formatRepo(repo), actor: viewerName(viewer) };
    const tokenAgeMs = viewer.kind === 'installation' ? world.now() - viewer.token.createdAt : null;
    if (faults.forPush({ ...where, tokenAgeMs }).length > 0)
      return { kind: 'refused', ref: refs[0]?.ref ?? '', why: 'permission denied', isPassing: true };
    const judge = pushPolicy({ db: world.tables, urls, viewer }, repository);
    return world.exclusive(repository.id, async () => {
      const open = refs.filter(({ ref, to }) => this.#refAt(repo, ref) !== to);
      const moved = open.filter(({ ref, expected }) => this.#refAt(repo, ref) !== expected).map(({ ref }) => ref);
      if (moved.length > 0) return { kind: 'lost', moved };
      const updates = open.map(({ ref, expected, to }) => ({ name: ref, before: expected, after: to }));
      for (const update of updates) {
        const refusal =
          (await judge(update, new SeenUpdate(this.#git(repo), update))) ?? refusalByFault(faults, update, where);
        if (refusal === null) continue;
        const why = [refusal.reason, ...(refusal.lines ?? [])].join('\n');
        return { kind: 'refused', ref: update.name, why, isPassing: isPassing(refusal.reason) };
      }
      const isMoved = await moveRefs(world, actorOf(viewer), repository, updates);
      return isMoved ? { kind: 'pushed' } : { kind: 'lost', moved: updates.map(({ name }) => name) };
    });
  }

  async keep(_: RepoRef, { name, commit }: Parameters<GitHost['keep']>[1]): Promise<KeptCommit> {
    this.kept.set(name, commit);
    return { mirror: '/nowhere', name };
  }

  async readFile(repo: RepoRef, commit: Oid, path: string): Promise<string | null> {
    const git = this.#git(repo);
    const entry = await git.entryAt((await this.#holding(repo, commit)).tree, path);
    const object = entry === null ? null : await git.object(entry.oid);
    return object?.type === 'blob' ? object.content.toString() : null;
  }

  async log(repo: RepoRef, tip: Oid, limit: number): Promise<readonly CommitFacts[]> {
    const facts: CommitFacts[] = [];
    for (let next: Oid | null = tip; next !== null && this.#here.has(next) && facts.length < limit; ) {
      const { oid, parents, committer, message }: GitCommit = await this.#holding(repo, next);
      next = parents[0] ?? null;
      facts.push({
        oid,
        parent: next,
        isMerge: parents.length > 1,
        at: committer.at,
        subject: message.split('\n')[0] ?? '',
      });
    }
    return facts;
  }

  #commit(repo: RepoRef, tree: Oid, parents: readonly Oid[], message: string): Oid {
    const us = { ...this.#identity, at: this.#clock.now() };
    const words = { message: publishPlain(message), author: us, committer: us };
    const oid = new GitObjects(this.#git(repo)).commit({ tree, parents, ...words });
    this.#here.add(oid);
    return oid;
  }

  /** A commit that is here or can be fetched with the branches. */
  async #holding(repo: RepoRef, oid: Oid): Promise<GitCommit> {
    if (!this.#here.has(oid))
      for (const { name, oid: tip } of this.#pocket.world.tables.refs.by('repositoryId', this.#repository(repo).id))
        if (name.startsWith('refs/heads/')) await this.#bring(repo, tip);
    const commit = this.#here.has(oid) ? await this.#git(repo).commit(oid) : null;
    if (commit === null) throw new GitHostError(`There is no commit ${oid} in ${formatRepo(repo)}.`, 'permanent');
    return commit;
  }

  async #bring(repo: RepoRef, tip: Oid): Promise<void> {
    const open = [tip];
    for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
      const commit = this.#here.has(oid) ? null : await this.#git(repo).commit(oid);
      if (commit === null) continue;
      this.#here.add(oid);
      open.push(...commit.parents);
    }
  }

  #below(repo: RepoRef, folder: string): readonly string[] {
    const all = this.#pocket.world.tables.refs.by('repositoryId', this.#repository(repo).id);
    return all.map(({ name }) => name).filter((name) => name.startsWith(folder));
  }

  #refAt(repo: RepoRef, name: string): Oid | null {
    return findRef(this.#pocket.world.tables, this.#repository(repo).id, name)?.oid ?? null;
  }

  #git(repo: RepoRef): GitRepository {
    return this.#pocket.world.git(this.#repository(repo).id);
  }

  #repository({ owner, repo }: RepoRef): Repository {
    const repository = findRepository(this.#pocket.world.tables, owner, repo);
    if (repository === undefined) throw new GitHostError(`There is no repository ${owner}/${repo}.`, 'permanent');
    return repository;
  }
}

/** The content of a push. Git is asked about workflows only if there are any. */
class SeenUpdate extends IncomingUpdate {
  readonly #repository: GitRepository;
  readonly #after: Oid | null;

  constructor(repository: GitRepository, update: RefUpdate) {
    super(new GitCommands(repository.path), null, update);
    this.#repository = repository;
    this.#after = update.after;
  }

  override async changedWorkflow(defaultBranch: string): Promise<string | null> {
    if (this.#after === null) return null;
    const branches = [...(await this.#repository.listRefs())].filter(([name]) => name.startsWith('refs/heads/'));
    const brought = await this.#repository.log(null, this.#after, { not: branches.map(([, oid]) => oid) });
    const places = new Set([this.#after, ...brought.flatMap(({ oid, parents }) => [oid, ...parents])]);
    for (const oid of places)
      if ((await this.#repository.entryAt(oid, '.github/workflows')) !== null)
        return super.changedWorkflow(defaultBranch);
    return null;
  }
}
