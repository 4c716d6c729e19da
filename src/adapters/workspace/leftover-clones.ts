import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Oid } from '../../domain/issue/ids.js';
import type { Clock } from '../../ports/clock.js';
import type { Leftover, Leftovers } from '../../ports/leftovers.js';
import type { Clone } from '../../ports/workspace.js';
import { createClone } from './clone.js';
import { type CloneOwner, hasOwner, abandonClone, claimClone, readAbandonedOwner } from './clone-owner.js';
import { runInClone } from './clone-process.js';
import type { WorkspaceOptions } from './workspace.js';
import { foldersIn, type PhaseFolders, removeFolder } from './phase-folders.js';

/** Clones handled at once; the next search finds the rest. */
const MAX_FOUND = 20;

export type LeftoverOptions = Pick<WorkspaceOptions, 'folder' | 'gitHost' | 'sandbox' | 'config' | 'log'> & {
  readonly clock: Clock;
};

/** Finds the clones of services that died. */
export function createLeftovers(options: LeftoverOptions): Leftovers {
  return {
    find: async () => {
      const found: Leftover[] = [];
      for (const root of await cloneRoots(options.folder)) {
        if (found.length === MAX_FOUND) break;
        const owner = await readAbandonedOwner(foldersIn(root).ownerFile, options.clock.now());
        const leftover = owner === null ? null : await claimLeftover(options, root, owner);
        if (leftover !== null) found.push(leftover);
      }
      return found;
    },
  };
}

/** A clone gets its owner file at once. One without it after this long is incomplete and abandoned. */
const NAMELESS_MS = 60 * 60_000;

/** Removes clones whose service died before it wrote the owner file, with their homes. Returns how many. */
export async function removeNamelessClones(folder: string, now: number): Promise<number> {
  let removed = 0;
  for (const root of await cloneRoots(folder)) {
    const { ownerFile } = foldersIn(root);
    const found = await stat(root).catch(() => null);
    if (found === null || now - found.mtimeMs < NAMELESS_MS || (await hasOwner(ownerFile))) continue;
    // A failed removal does not stop the others.
    removed += await removeFolder(folder, root).then(
      () => 1,
      () => 0,
    );
  }
  return removed;
}

/** The folders of all phase runs. Links are not followed. */
async function cloneRoots(folder: string): Promise<readonly string[]> {
  const repositories = await foldersBelow(folder);
  const clones = await Promise.all(repositories.filter((path) => !path.endsWith('.cache')).map(foldersBelow));
  return clones.flat();
}

async function foldersBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

/** Claims a clone by renaming it, so that only one of several services gets it. */
async function claimLeftover(options: LeftoverOptions, root: string, owner: CloneOwner): Promise<Leftover | null> {
  const { folder, log } = options;
  const own = `${root.replace(/\.left-[0-9a-f]+$/, '')}.left-${randomBytes(4).toString('hex')}`;
  try {
    await rename(root, own);
  } catch {
    return null;
  }
  const folders = foldersIn(own);
  await claimClone(folders.ownerFile, owner);
  const [, phaseRun = owner.phaseRun, name = ''] = /^(.+)-([a-z]+)$/.exec(owner.phaseRun) ?? [];
  const clone = await cloneIn(options, folders, owner).catch(() => undefined);
  // Without GitHub the work cannot be delivered.
  if (clone === undefined) return abandonClone(folders.ownerFile, owner).then(() => null);
  log.warn({ run: phaseRun, name }, 'found abandoned clone');
  return {
    ref: owner.ref,
    phaseRun,
    name,
    clone,
    giveBack: () => abandonClone(folders.ownerFile, owner),
    dispose: () => removeFolder(folder, own),
  };
}

async function cloneIn(
  { folder, gitHost, sandbox, config }: LeftoverOptions,
  folders: PhaseFolders,
  { ref }: CloneOwner,
): Promise<Clone | null> {
  const start: Oid = await readFile(folders.note, 'utf8').catch(() => '');
  if (!/^[0-9a-f]{40}$/.test(start)) return null;
  const { identity, path, commandTimeoutMs: timeoutMs, maxBundleBytes } = config;
  const run = runInClone(sandbox, folders, { PATH: path });
  const mounts = [
    { path: folders.clone, access: 'write' },
    { path: folders.home, access: 'write' },
    { path: join(await gitHost.mirror(ref), 'objects'), access: 'read' },
  ] as const;
  return createClone({
    ref,
    start,
    rules: null,
    folder,
    folders,
    mounts,
    run,
    gitHost,
    identity,
    timeoutMs,
    maxBundleBytes,
  });
}
