import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { join } from 'node:path/posix';
import type { Mount } from '../../ports/sandbox.js';

/** Outer folders before what lies in them, so that none hides another. */
export function inMountOrder(mounts: readonly Mount[]): Mount[] {
  return [...mounts].sort((a, b) => Number(a.path > b.path) - Number(a.path < b.path));
}

/**
 * Why these mounts may not be made, or `null`. Something in a writable mount may have been replaced by an earlier run
 * with a link to anywhere: mounting through it would show the run what it points to.
 */
export async function mountProblem(mounts: readonly Mount[]): Promise<string | null> {
  for (const inner of mounts) {
    const outer = mounts.find((mount) => mount.access === 'write' && isBelow(inner.path, mount.path));
    if (outer === undefined) continue;
    // What is missing is reported by whoever mounts it.
    const [folder, real] = await Promise.all([outer, inner].map(({ path }) => realpath(path).catch(() => null)));
    if (folder == null || real == null) continue;
    if (real !== join(folder, relative(outer.path, inner.path)))
      return `${inner.path} leads out of ${outer.path}, to ${real}.`;
  }
  return null;
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`);
}
