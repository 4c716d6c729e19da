import { constants } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';

const LARGEST = 64 * 1024;

/** Writes a file atomically. */
export async function writeJsonFile(path: string, content: unknown): Promise<void> {
  const draft = `${path}.new`;
  await writeFile(draft, JSON.stringify(content));
  await rename(draft, path);
}

/** Reads a small plain file as JSON; `null` when there is none. Links are not followed. */
export async function readJsonFile(path: string): Promise<unknown> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return null;
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > LARGEST) return null;
    return JSON.parse(await file.readFile('utf8')) as unknown;
  } catch {
    return null;
  } finally {
    await file.close();
  }
}
