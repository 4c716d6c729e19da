import type { RefUpdate } from './git/git-repository.js';
import type { Oid } from './world/model.js';
import type { World, WorldSnapshot } from './world/world.js';

/** A whole Pocket GitHub at one moment: records and refs. Objects are never collected, so refs are enough. */
export interface PocketSnapshot {
  readonly world: WorldSnapshot;
  readonly refs: ReadonlyMap<number, ReadonlyMap<string, Oid>>;
}

export async function takeSnapshot(world: World): Promise<PocketSnapshot> {
  const refs = new Map<number, ReadonlyMap<string, Oid>>();
  for (const repository of world.tables.repositories.all()) {
    refs.set(repository.id, await world.git(repository.id).listRefs());
  }
  return { world: world.snapshot(), refs };
}

/** Goes back. Repositories founded since then lose their record; their git directory stays until the world ends. */
export async function restoreSnapshot(world: World, snapshot: PocketSnapshot): Promise<void> {
  for (const [repositoryId, wanted] of snapshot.refs) {
    await world.exclusive(repositoryId, async () => {
      const git = world.git(repositoryId);
      const updates = difference(await git.listRefs(), wanted);
      if (updates.length > 0 && !(await git.updateRefs(updates)))
        throw new Error('refs moved while a snapshot was being restored');
    });
  }
  world.restore(snapshot.world);
}

function difference(current: ReadonlyMap<string, Oid>, wanted: ReadonlyMap<string, Oid>): RefUpdate[] {
  const names = new Set([...current.keys(), ...wanted.keys()]);
  return [...names]
    .map((name) => ({ name, before: current.get(name) ?? null, after: wanted.get(name) ?? null }))
    .filter(({ before, after }) => before !== after);
}
