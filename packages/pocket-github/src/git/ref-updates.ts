import type { Oid } from '../world/model.js';
import { type GitCommands, GitCommandError } from './git-command.js';
import type { RefUpdate } from './git-repository.js';

const NO_OBJECT = '0'.repeat(40);

/** Moves all the refs or none; false when one was not where its update expected it. */
export async function updateRefs(
  git: GitCommands,
  updates: readonly RefUpdate[],
  listRefs: () => Promise<ReadonlyMap<string, Oid>>,
): Promise<boolean> {
  const commands = updates.map(
    ({ name, before, after }) => `update ${name}\0${after ?? NO_OBJECT}\0${before ?? NO_OBJECT}\0`,
  );
  try {
    await git.run(['update-ref', '-z', '--stdin'], { input: `start\0${commands.join('')}commit\0` });
    return true;
  } catch (error) {
    if (!(error instanceof GitCommandError)) throw error;
    // git says "moved" and "no such object" the same way, so the refs themselves are asked which it was.
    const refs = await listRefs();
    if (updates.some(({ name, before }) => (refs.get(name) ?? null) !== before)) return false;
    throw error;
  }
}
