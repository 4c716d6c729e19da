import { stat } from 'node:fs/promises';
import { z } from 'zod';
import type { IssueRef } from '../../domain/issue/ids.js';
import { isElsewhere, isGone, thisProcess, ownerProcessSchema } from './owner-process.js';
import { readJsonFile, writeJsonFile } from './json-file.js';

/* The owner of a clone, in a file beside it, out of the agent's reach. */

export const issueRefSchema = z.strictObject({
  owner: z.string(),
  repo: z.string(),
  number: z.number().int().positive(),
});

const cloneOwnerSchema = z.strictObject({
  ref: issueRefSchema,
  /** The requested id, whatever the folder is called now. */
  phaseRun: z.string(),
  /** `null` when it has no owner any more. */
  by: ownerProcessSchema.nullable(),
});

/** The content of the owner file. */
export interface CloneOwner {
  readonly ref: IssueRef;
  readonly phaseRun: string;
}

/** Longer than any phase run. An older clone of another machine has no owner any more. */
const FORGOTTEN_MS = 24 * 60 * 60_000;

export const claimClone = (path: string, owner: CloneOwner): Promise<void> =>
  writeJsonFile(path, { ...owner, by: thisProcess() });

export const abandonClone = (path: string, owner: CloneOwner): Promise<void> =>
  writeJsonFile(path, { ...owner, by: null });

/** Whether there is a readable owner file. */
export const hasOwner = async (path: string): Promise<boolean> =>
  cloneOwnerSchema.safeParse(await readJsonFile(path)).success;

/** The owner of an abandoned clone; `null` when somebody may still work in it, or it has no owner file. */
export async function readAbandonedOwner(path: string, now: number): Promise<CloneOwner | null> {
  const reading = cloneOwnerSchema.safeParse(await readJsonFile(path));
  if (!reading.success) return null;
  const { by, ...owner } = reading.data;
  if (by === null || isGone(by)) return owner;
  const found = isElsewhere(by) ? await stat(path).catch(() => null) : null;
  return found !== null && now - found.mtimeMs > FORGOTTEN_MS ? owner : null;
}
