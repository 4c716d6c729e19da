import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** Enough to notice changes. Reading a whole tree of dependencies would take too long. */
const MAX_ENTRIES = 4000;
const SKIPPED = new Set(['node_modules', 'objects', '.venv']);

/** A text that changes when files of a checkout are written. Links are not followed. */
export async function checkoutStamp(root: string): Promise<string> {
  const folders = [root];
  const seen = { entries: 0, newest: 0 };
  for (const folder of folders) {
    if (seen.entries > MAX_ENTRIES) break;
    const children = await firstEntries(folder, MAX_ENTRIES);
    const found = await Promise.all(children.map((child) => lstat(join(folder, child.name)).catch(() => null)));
    for (const entry of found) seen.newest = Math.max(seen.newest, entry?.ctimeMs ?? 0);
    seen.entries += children.length;
    const below = children.filter((child) => child.isDirectory() && !SKIPPED.has(child.name));
    folders.push(...below.map((child) => join(folder, child.name)));
  }
  return `${seen.entries} ${seen.newest}`;
}

/** An agent may fill a folder with a million files, so the listing is bounded. */
async function firstEntries(folder: string, most: number): Promise<readonly Dirent[]> {
  const entries: Dirent[] = [];
  const listing = await opendir(folder).catch(() => null);
  if (listing === null) return entries;
  for await (const entry of listing) {
    if (entries.push(entry) >= most) break;
  }
  return entries;
}
