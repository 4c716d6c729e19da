import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The file of a program: a path stays as it is, a name is searched in the folders of `path`. `null` when there is none. */
export async function findProgram(name: string, path: string): Promise<string | null> {
  const folders = path.split(delimiter).filter((part) => part !== '');
  const candidates = name.includes('/') ? [name] : folders.map((folder) => join(folder, name));
  for (const candidate of candidates) if (await isThere(candidate, constants.X_OK)) return candidate;
  return null;
}

export async function isThere(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
