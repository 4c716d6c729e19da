import { workBranch } from '../../../../src/domain/issue/ids.js';
import {
  type Actor,
  atLeast,
  type CheckRun,
  findIssue,
  findRef,
  findUser,
  type GitRepository,
  type Issue,
  moveRefs,
  type Oid,
  type Pull,
  type Repository,
  roleOf,
  type Tables,
  type User,
  type World,
} from '#pocket-github/testing';
import type { CrashWorld } from '../crash/crash-world.js';
import { GitObjects } from '#pocket-github/test/git-objects';

export type PersonName = 'ada' | 'wren' | 'tess' | 'mallory';

export const BASE = 'main';
/** The person who asked for the run. */
export const AUTHORISER = 'wren';

/** A commit a person made, and what of it has to be found again. */
export interface PersonCommit {
  readonly oid: Oid;
  readonly branch: string;
  readonly path: string;
  readonly text: string;
  /** People took it away themselves. */
  readonly withdrawn: boolean;
}

/** GitHub as the people of the generator see it: who is there, what they can reach, what they have done. */
export class Scene {
  readonly crash: CrashWorld;
  readonly branch: string;
  /** What people committed, in order. */
  commits: readonly PersonCommit[] = [];

  constructor(crash: CrashWorld) {
    this.crash = crash;
    this.branch = workBranch(crash.ref.number);
  }

  get world(): World {
    return this.crash.pocket.world;
  }

  get tables(): Tables {
    return this.world.tables;
  }

  get repository(): Repository {
    return this.tables.repositories.must(this.crash.repository.id);
  }

  get git(): GitRepository {
    return this.world.git(this.repository.id);
  }

  get issue(): Issue {
    return mustExist(findIssue(this.tables, this.repository.id, this.crash.ref.number), 'the issue');
  }

  user(login: PersonName): User {
    return mustExist(findUser(this.tables, login), login);
  }

  as(login: PersonName): Actor {
    return { userId: this.user(login).id, viaAppId: null };
  }

  /** Whether somebody may tell Sluice what to do. */
  mayWrite(login: PersonName): boolean {
    return atLeast(roleOf(this.tables, this.repository, this.user(login).id), 'write');
  }

  tip(branch: string): Oid | null {
    return findRef(this.tables, this.repository.id, `refs/heads/${branch}`)?.oid ?? null;
  }

  /** Our pull requests, oldest first. */
  get pulls(): readonly Pull[] {
    return this.tables.pulls.by('repositoryId', this.repository.id).filter(({ headRef }) => headRef === this.branch);
  }

  /** The newest of them. */
  get pull(): Pull | null {
    return this.pulls.at(-1) ?? null;
  }

  get openPull(): Pull | null {
    return this.pulls.findLast((pull) => this.isOpen(pull)) ?? null;
  }

  isOpen({ issueId }: Pull): boolean {
    return this.tables.issues.must(issueId).state === 'open';
  }

  /** What CI says about a commit, the newest of each name. */
  ciRuns(oid: Oid): readonly CheckRun[] {
    const runs = this.tables.checkRuns
      .all()
      .filter(({ headOid, name }) => headOid === oid && !name.startsWith('sluice/'));
    return [...new Map(runs.map((run) => [run.name, run])).values()];
  }

  labels(): readonly string[] {
    return this.issue.labelIds.map((id) => this.tables.labels.must(id).name);
  }

  async textAt(commit: Oid, path: string): Promise<string | null> {
    const entry = await this.git.entryAt(commit, path);
    const object = entry === null ? null : await this.git.object(entry.oid);
    return object?.type === 'blob' ? object.content.toString() : null;
  }

  async pathsAt(commit: Oid): Promise<readonly string[]> {
    const { tree } = mustExist((await this.git.commit(commit)) ?? undefined, commit);
    return [...(await new GitObjects(this.git).files(tree)).keys()];
  }

  /** One more file, or one more line of a file, on top of `onto`; pushed to the branch, by force if need be. */
  async push(by: PersonName, branch: string, onto: Oid, { path, text }: { path: string; text: string }): Promise<void> {
    const objects = new GitObjects(this.git);
    const parent = mustExist((await this.git.commit(onto)) ?? undefined, onto);
    const before = (await this.textAt(onto, path)) ?? '';
    const files = new Map(await objects.files(parent.tree)).set(path, objects.blob(`${before}${text}`));
    const { login, email } = this.user(by);
    const who = { name: login, email, at: this.world.now() };
    const message = `Add ${path}\n`;
    const tree = objects.tree(files);
    const oid = objects.commit({ tree, parents: [onto], message, author: who, committer: who });
    const ref = { name: `refs/heads/${branch}`, before: this.tip(branch), after: oid };
    if (!(await moveRefs(this.world, this.as(by), this.repository, [ref]))) throw new Error(`${branch} moved`);
    this.commits = [...this.commits, { oid, branch, path, text, withdrawn: false }];
  }

  /** Takes a branch away, or puts it elsewhere: what only it held was given up by a person. */
  async withdraw(branch: string): Promise<void> {
    this.commits = this.commits.map((commit) => (commit.branch === branch ? { ...commit, withdrawn: true } : commit));
  }
}

export function mustExist<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what} is not there`);
  return value;
}
