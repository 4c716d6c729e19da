import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Locks end like this everywhere; git allows no ref of such a name. */
const LOCK = /\.lock$/;
/** Half-written objects, and bundles that were being taken over. */
const HALF_DONE = /^tmp_|^incoming-/;

/**
 * Removes what a git process left behind when the machine stopped under it: whatever is older than any of ours may get. Both
 * ages are the file system's, so that a clock set back removes nothing that is in use. Whether there was anything.
 */
export async function removeLeftovers(mirror: string, olderThanMs: number): Promise<boolean> {
  const now = await fileSystemTime(mirror);
  const entries = await readdir(mirror, { recursive: true, withFileTypes: true });
  const old: string[] = [];
  for (const { parentPath, name } of entries) {
    const path = join(parentPath, name);
    if (!isLeftover(mirror, path, name)) continue;
    const found = await stat(path).catch(() => null);
    if (found !== null && now - found.mtimeMs > olderThanMs) old.push(path);
  }
  for (const path of old) await rm(path, { recursive: true, force: true });
  return old.length > 0;
}

/** Branches may be called anything: among the refs only locks are left over. */
function isLeftover(mirror: string, path: string, name: string): boolean {
  const isRef = relative(mirror, path).startsWith(`refs${sep}`);
  return LOCK.test(name) || (!isRef && HALF_DONE.test(name));
}

async function fileSystemTime(folder: string): Promise<number> {
  const probe = join(folder, 'leftovers-probe');
  await writeFile(probe, '');
  try {
    return (await stat(probe)).mtimeMs;
  } finally {
    await rm(probe, { force: true });
  }
}
