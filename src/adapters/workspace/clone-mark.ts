import { stat } from 'node:fs/promises';
import { z } from 'zod';
import type { IssueRef } from '../../domain/ids.js';
import { isElsewhere, isGone, ownMark, processMarkSchema } from '../process-mark.js';
import { readSmallFile, writeSmallFile } from '../small-file.js';

/* Whose a clone is. Kept beside it, out of the agent's reach. */

export const issueRefSchema = z.strictObject({
  owner: z.string(),
  repo: z.string(),
  number: z.number().int().positive(),
});

const markSchema = z.strictObject({
  ref: issueRefSchema,
  /** As it was asked for, whatever the folder is called now. */
  phaseRun: z.string(),
  /** `null`: nobody's any more. */
  by: processMarkSchema.nullable(),
});

/** What a mark says. */
export interface CloneMark {
  readonly ref: IssueRef;
  readonly phaseRun: string;
}

/** Longer than any phase run lasts: a clone of another machine that is older is nobody's. */
const FORGOTTEN_MS = 24 * 60 * 60_000;

export const markAsOurs = (path: string, mark: CloneMark): Promise<void> =>
  writeSmallFile(path, { ...mark, by: ownMark() });

export const markAsLeft = (path: string, mark: CloneMark): Promise<void> => writeSmallFile(path, { ...mark, by: null });

/** Whether there is a mark that can be read. */
export const hasMark = async (path: string): Promise<boolean> =>
  markSchema.safeParse(await readSmallFile(path)).success;

/** The mark of a clone nobody works in any more; `null` when somebody may, or when it has no mark. */
export async function readLeftMark(path: string, now: number): Promise<CloneMark | null> {
  const reading = markSchema.safeParse(await readSmallFile(path));
  if (!reading.success) return null;
  const { by, ...mark } = reading.data;
  if (by === null || isGone(by)) return mark;
  const found = isElsewhere(by) ? await stat(path).catch(() => null) : null;
  return found !== null && now - found.mtimeMs > FORGOTTEN_MS ? mark : null;
}
