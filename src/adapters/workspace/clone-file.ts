import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { isInside } from './phase-folders.js';

/** A plain file of a clone, or why it cannot be read. */
export type CloneFile =
  | {
      readonly kind: 'file';
      /** From the clone's root, free of links. */
      readonly path: string;
      /** `null` when it is too large to read. */
      readonly content: Buffer | null;
    }
  | { readonly kind: 'none'; readonly why: string };

const LARGEST = 20 * 2 ** 20;
/** Links are not followed, and a pipe does not block us. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads a file, following links inside the clone but never out of it. */
export async function readCloneFile(clone: string, path: string): Promise<CloneFile> {
  const root = join(await realpath(dirname(clone)), basename(clone));
  const real = await realpath(join(root, path)).catch(() => null);
  if (real === null) return { kind: 'none', why: `There is no file ${path}.` };
  if (!isInside(root, real) || isInside(join(root, '.git'), real))
    return { kind: 'none', why: `${path} is not a file of the repository.` };
  const file = await open(real, FLAGS).catch(() => null);
  if (file === null) return { kind: 'none', why: `${path} cannot be read.` };
  try {
    const found = await file.stat();
    if (!found.isFile()) return { kind: 'none', why: `${path} is not a plain file.` };
    return { kind: 'file', path: relative(root, real), content: found.size > LARGEST ? null : await file.readFile() };
  } finally {
    await file.close();
  }
}
