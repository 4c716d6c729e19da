import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a git process leaves behind when the machine stops under it. */
const LEFTOVER = /\.lock$|^tmp_|^incoming-/;

/**
 * Removes what no living git process can still be using: everything older than any of ours may get. The age is taken by
 * the file system's own clock. Says whether there was any.
 */
export async function removeLeftovers(path: string, olderThanMs: number): Promise<boolean> {
  const probe = join(path, 'leftovers-probe');
  await writeFile(probe, '');
  const { mtimeMs: now } = await stat(probe);
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const candidates = entries
    .filter(({ name }) => LEFTOVER.test(name))
    .map(({ parentPath, name }) => join(parentPath, name));
  const old: string[] = [];
  for (const candidate of candidates) {
    const found = await stat(candidate).catch(() => null);
    if (found !== null && now - found.mtimeMs > olderThanMs) old.push(candidate);
  }
  for (const leftover of old) await rm(leftover, { recursive: true, force: true });
  return old.length > 0;
}
