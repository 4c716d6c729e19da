import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clone } from '../../../src/ports/workspace.js';

/** A folder to work in, without git: for tests of what happens inside a clone, not of clones. */
export async function scratchClone(below = tmpdir()): Promise<Clone> {
  const root = await mkdtemp(join(below, 'scratch-'));
  const [path, home] = [join(root, 'clone'), join(root, 'home')];
  await Promise.all([mkdir(path), mkdir(home)]);
  const unused = (): never => {
    throw new Error('A scratch clone has no repository.');
  };
  return {
    path,
    home,
    mounts: [
      { path, access: 'write' },
      { path: home, access: 'write' },
    ],
    run: unused,
    check: unused,
    collect: unused,
    dispose: () => rm(root, { recursive: true, force: true }),
  };
}
