import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Size } from '../../src/domain/size.js';
import { failuresAt, type Point, pointsOf, sample } from '../support/crash-points.js';
import { runUndisturbed, type Undisturbed } from '../support/crash-scenario.js';
import { CrashWorld, type EndState } from '../support/crash-world.js';

export interface CrashCase {
  readonly name: string;
  readonly size: Size;
  readonly wanted: EndState;
}

const DONE = {
  issue: 'closed completed',
  comments: { status: 1, triage: 1, spec: 1 },
  status: ['### Done: landed and verified'],
};

/** Size S: one commit straight onto base. */
export const PATCH: CrashCase = {
  name: 'patch',
  size: 'S',
  wanted: {
    ...DONE,
    labels: ['phase/done', 'size/S', 'triaged'],
    pulls: [],
    commits: ['Do the work', 'Initial commit'],
    trailers: 1,
    work: 'done\n',
    diary: 1,
    branches: ['refs/heads/main'],
  },
};

/** Size M: a pull request whose first version is sent back by the review. */
export const PULL: CrashCase = {
  name: 'pr',
  size: 'M',
  wanted: {
    ...DONE,
    labels: ['phase/done', 'size/M', 'triaged'],
    pulls: ['merged'],
    commits: ['Do the work (#2)', 'Initial commit'],
    trailers: 0,
    work: 'done and polished\n',
    diary: 2,
    branches: ['refs/heads/main', 'refs/heads/sluice/issue-1'],
  },
};

const SEED = 20_260_105;
const SHARE_WITH_QUEUE = 0.5;
const LIMIT_MS = 10 * 60_000;

/** Kills the service at every point of a scenario. */
export function describeCrashes({ name, size, wanted }: CrashCase): void {
  describe(`crashes of the ${name} scenario`, () => {
    const given: { world: CrashWorld; run: Undisturbed }[] = [];
    const here = (): { world: CrashWorld; run: Undisturbed } => {
      const [first] = given;
      if (first === undefined) throw new Error('there is no undisturbed run');
      return first;
    };
    beforeAll(async () => {
      const world = await CrashWorld.open();
      given.push({ world, run: await runUndisturbed(world, size) });
    }, LIMIT_MS);
    afterAll(async () => {
      for (const { world } of given) await world.close();
    });

    const killAll = async (points: readonly Point[]): Promise<void> => {
      expect(await failuresAt(here().world, points, { size, wanted })).toEqual([]);
    };

    test('undisturbed it ends as it should', () => {
      expect(here().run.end).toEqual(wanted);
      expect(here().world.pocket.journal.unmodelled()).toEqual([]);
    });

    test(
      'killed anywhere, with Redis emptied, it ends the same',
      async () => {
        const { run } = here();
        const points = pointsOf(run, 'emptied');
        say(`${name}: ${run.calls.length} calls, ${run.moments.length} moments, ${points.length} different worlds, all run`);
        await killAll(points);
      },
      LIMIT_MS,
    );

    test(
      'killed anywhere, with Redis kept, it ends the same',
      async () => {
        const all = pointsOf(here().run, 'kept');
        const points = process.env['SLUICE_CRASH'] === 'all' ? all : sample(all, SHARE_WITH_QUEUE, SEED);
        say(`${name}: with Redis kept ${points.length} of ${all.length} different worlds run (SLUICE_CRASH=all runs all)`);
        await killAll(points);
      },
      LIMIT_MS,
    );
  });
}

/** What was left out is said aloud. */
const say = (text: string): boolean => process.stderr.write(`crash generator, ${text}\n`);
