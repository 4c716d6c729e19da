import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The first executable of this name in the folders of a PATH, or `null`. */
export async function findProgram(name: string, path: string): Promise<string | null> {
  for (const folder of path.split(delimiter).filter((part) => part !== '')) {
    const candidate = join(folder, name);
    const found = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return candidate;
  }
  return null;
}
