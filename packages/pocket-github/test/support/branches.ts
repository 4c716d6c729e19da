import { commitFiles } from '../../src/git/seed-commits.js';
import { moveRefs } from '../../src/resources/refs/rules.js';
import { findRef } from '../../src/world/lookup.js';
import type { Oid } from '../../src/world/model.js';
import type { Person, TestPocket } from './test-pocket.js';

export interface TestCommit {
  /** Contents by path; `null` deletes. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly message?: string;
  /** Start the branch anew from this commit instead of adding to it. */
  readonly onto?: Oid;
  readonly by?: Person;
  /** The date in the commit, which whoever makes it chooses. */
  readonly dated?: number;
}

/** The tip of a branch of `ada/sandbox`. */
export function tipOf(p: TestPocket, branch: string): Oid {
  const ref = findRef(p.pocket.world.tables, p.repository.id, `refs/heads/${branch}`);
  if (ref === undefined) throw new Error(`there is no branch ${branch}`);
  return ref.oid;
}

/** Commits and pushes at once, as `git push` would, without the cost of a clone. A new branch starts at `main`. */
export async function pushTo(p: TestPocket, branch: string, commit: TestCommit): Promise<Oid> {
  const { world } = p.pocket;
  const user = p.users[commit.by ?? 'wren'];
  const before = findRef(world.tables, p.repository.id, `refs/heads/${branch}`)?.oid ?? null;
  const after = await commitFiles(world.git(p.repository.id), {
    parent: commit.onto ?? before ?? tipOf(p, 'main'),
    files: commit.files,
    message: commit.message ?? `Change ${Object.keys(commit.files).join(', ')}`,
    author: { name: user.login, email: user.email, at: commit.dated ?? world.now() },
  });
  const actor = { userId: user.id, viaAppId: null };
  if (!(await moveRefs(world, actor, p.repository, [{ name: `refs/heads/${branch}`, before, after }])))
    throw new Error('the branch moved');
  return after;
}

export const deleteBranch = (p: TestPocket, branch: string, by?: Person): Promise<void> =>
  moveBranch(p, branch, null, by);

/** Points a branch elsewhere, by force if need be; `null` deletes it. */
export async function moveBranch(p: TestPocket, branch: string, after: Oid | null, by: Person = 'wren'): Promise<void> {
  const actor = { userId: p.users[by].id, viaAppId: null };
  const update = { name: `refs/heads/${branch}`, before: tipOf(p, branch), after };
  if (!(await moveRefs(p.pocket.world, actor, p.repository, [update]))) throw new Error('the branch moved');
}

/** Replaces a branch by a commit that has nothing in common with anything, as somebody may who pushes by force. */
export async function replaceByRoot(p: TestPocket, branch: string, commit: TestCommit): Promise<Oid> {
  const { world } = p.pocket;
  const user = p.users[commit.by ?? 'wren'];
  const name = `refs/heads/${branch}`;
  const after = await commitFiles(world.git(p.repository.id), {
    parent: null,
    files: commit.files,
    message: commit.message ?? 'Begin anew',
    author: { name: user.login, email: user.email, at: world.now() },
  });
  const before = findRef(world.tables, p.repository.id, name)?.oid ?? null;
  if (!(await moveRefs(world, { userId: user.id, viaAppId: null }, p.repository, [{ name, before, after }])))
    throw new Error('the branch moved');
  return after;
}
