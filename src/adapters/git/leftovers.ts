import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** The ending of lock files; git allows no ref with it. */
const LOCK = /\.lock$/;
/** Half-written objects and bundles. */
const HALF_DONE = /^tmp_|^incoming-/;

/**
 * Removes files of git processes that were cut off: older than any running process can be. Both ages come from the file system, so a clock
 * that was set back removes nothing in use. Returns whether there were any.
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

/** A branch may have any name, so among the refs only locks count. */
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
