import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AGENT_PHASES } from '../../domain/issue/phase.js';
import type { Log } from '../../ports/log.js';
import type { RunNote, RunNotes } from '../../ports/run-notes.js';
import { createKeyedMutex } from '../../concurrency/keyed-mutex.js';
import { isGone, thisProcess, ownerProcessSchema } from './owner-process.js';
import { readJsonFile, writeJsonFile } from './json-file.js';
import { issueRefSchema } from './clone-owner.js';

const noteSchema = z.strictObject({
  ref: issueRefSchema,
  phase: z.enum(AGENT_PHASES),
  phaseRun: z.string().regex(/^[\w-]{1,100}$/),
  costUsd: z.number().nonnegative(),
  /** `null` when nobody works under it any more. */
  by: ownerProcessSchema.nullable(),
});

/** Leftovers handled at once; the next search finds the rest. */
const MAX_FOUND = 50;

/** One small file per phase run under way. */
export function createRunNotes({ folder, log }: { readonly folder: string; readonly log: Log }): RunNotes {
  const mutex = createKeyedMutex();
  const underWay = new Map<string, RunNote>();
  const fileOf = (phaseRun: string): string => join(folder, `${phaseRun}.json`);

  /** A note that cannot be written loses a cost figure, but does not fail the run. */
  const persist = (phaseRun: string, task: () => Promise<void>): Promise<void> =>
    mutex(phaseRun, task).catch((error: unknown) =>
      log.warn({ run: phaseRun, error: String(error) }, 'run note not saved'),
    );

  return {
    begin: (run) => {
      const note = { ...run, costUsd: 0 };
      underWay.set(run.phaseRun, note);
      return persist(run.phaseRun, async () => {
        await mkdir(folder, { recursive: true });
        await writeJsonFile(fileOf(run.phaseRun), { ...note, by: thisProcess() });
      });
    },
    addCost: (phaseRun, costUsd) =>
      persist(phaseRun, async () => {
        const before = underWay.get(phaseRun);
        if (before === undefined) return;
        const note = { ...before, costUsd: before.costUsd + costUsd };
        underWay.set(phaseRun, note);
        await writeJsonFile(fileOf(phaseRun), { ...note, by: thisProcess() });
      }),
    end: (phaseRun, isCounted) =>
      persist(phaseRun, async () => {
        const note = underWay.get(phaseRun);
        underWay.delete(phaseRun);
        if (isCounted) await rm(fileOf(phaseRun), { force: true });
        else if (note !== undefined) await writeJsonFile(fileOf(phaseRun), { ...note, by: null });
      }),
    leftovers: async () => {
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
      const found: RunNote[] = [];
      for (const name of names.slice(0, MAX_FOUND)) {
        const reading = noteSchema.safeParse(await readJsonFile(join(folder, name)));
        if (!reading.success || name !== `${reading.data.phaseRun}.json`) continue;
        const { by, ...note } = reading.data;
        if (by === null || isGone(by)) found.push(note);
      }
      return found;
    },
  };
}
