import type { RefUpdate } from '../../git/git-repository.js';
import type { PushedCommit } from '../../world/events.js';
import { findRef } from '../../world/lookup.js';
import type { Oid, Repository } from '../../world/model.js';
import type { World } from '../../world/world.js';

/** GitHub lists at most this many commits in a push event. */
const MAX_PUSHED_COMMITS = 2048;

const isBranch = (name: string): boolean => name.startsWith('refs/heads/');

/** The commits a branch got by one update of a push, oldest first. Tags bring none, as on GitHub. */
export async function pushedCommits(
  world: World,
  repository: Repository,
  update: RefUpdate,
  push: readonly RefUpdate[],
): Promise<PushedCommit[]> {
  const { name, before, after } = update;
  if (after === null || !isBranch(name)) return [];
  const git = world.git(repository.id);
  const from = before ?? startOf(world, repository, name);
  const commits = (await git.log(from, after, { limit: MAX_PUSHED_COMMITS })).toReversed();
  if (commits.length === 0) return [];
  const fresh = await git.log(null, after, { not: knownBefore(world, repository, update, push) });
  const distinct = new Set(fresh.map(({ oid }) => oid));
  const touched = await git.touchedPaths(commits);
  return commits.map(({ oid, message }) => {
    const { added = [], removed = [], modified = [] } = touched.get(oid) ?? {};
    return { oid, message, distinct: distinct.has(oid), added, removed, modified };
  });
}

/** A new branch is compared with the default branch: only what it adds was pushed. */
function startOf(world: World, repository: Repository, name: string): Oid | null {
  const base = `refs/heads/${repository.defaultBranch}`;
  return name === base ? null : (findRef(world.tables, repository.id, base)?.oid ?? null);
}

/** Where the branches stood before this update; those that the same push moved earlier stand where it put them. */
function knownBefore(
  world: World,
  repository: Repository,
  update: RefUpdate,
  push: readonly RefUpdate[],
): readonly Oid[] {
  const pushed = new Set(push.map(({ name }) => name));
  const others = world.tables.refs
    .by('repositoryId', repository.id)
    .filter(({ name }) => isBranch(name) && !pushed.has(name));
  const earlier = push.slice(0, push.indexOf(update));
  const moved = [
    ...push.map(({ name, before }) => ({ name, oid: before })),
    ...earlier.map(({ name, after }) => ({ name, oid: after })),
  ];
  return [...others, ...moved.filter(({ name }) => isBranch(name))].flatMap(({ oid }) => oid ?? []);
}
