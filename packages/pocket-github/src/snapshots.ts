import type { RefUpdate } from './git/git-repository.js';
import type { Oid } from './world/model.js';
import type { World, WorldSnapshot } from './world/world.js';

/** A whole Pocket GitHub at one moment: records and refs. Objects are never collected, so refs are enough. */
export interface PocketSnapshot {
  readonly world: WorldSnapshot;
  readonly refs: ReadonlyMap<number, ReadonlyMap<string, Oid>>;
}

export async function takeSnapshot(world: World): Promise<PocketSnapshot> {
  const ids = world.tables.repositories.all().map(({ id }) => id);
  return exclusively(world, ids, async () => {
    const refs = new Map<number, ReadonlyMap<string, Oid>>();
    for (const id of ids) refs.set(id, await world.git(id).listRefs());
    return { world: world.snapshot(), refs };
  });
}

/** Goes back. Repositories founded since then lose their record; their git directory stays until the world ends. */
export async function restoreSnapshot(world: World, snapshot: PocketSnapshot): Promise<void> {
  await exclusively(world, [...snapshot.refs.keys()], async () => {
    for (const [repositoryId, wanted] of snapshot.refs) {
      const git = world.git(repositoryId);
      const updates = difference(await git.listRefs(), wanted);
      if (updates.length > 0 && !(await git.updateRefs(updates)))
        throw new Error('refs moved while a snapshot was being restored');
    }
    world.restore(snapshot.world);
  });
}

/** Runs `task` while no git state changes anywhere: records and refs must be of one moment. */
function exclusively<T>(world: World, [id, ...others]: readonly number[], task: () => Promise<T>): Promise<T> {
  return id === undefined ? task() : world.exclusive(id, () => exclusively(world, others, task));
}

function difference(current: ReadonlyMap<string, Oid>, wanted: ReadonlyMap<string, Oid>): RefUpdate[] {
  const names = new Set([...current.keys(), ...wanted.keys()]);
  return [...names]
    .map((name) => ({ name, before: current.get(name) ?? null, after: wanted.get(name) ?? null }))
    .filter(({ before, after }) => before !== after);
}
