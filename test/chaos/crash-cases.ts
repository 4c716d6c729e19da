import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Size } from '../../src/domain/size.js';
import { failuresAt, pointsOf, type QueueFate, sample } from '../support/crash-points.js';
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
    branches: ['refs/heads/main'],
  },
};

const SEED = 1;
/** What is in Redis may only help, and every world is run without it: a part is enough. */
const EVERY_WITH_QUEUE = 3;
const RUN_ALL = process.env['SLUICE_CRASH'] === 'all';
/** For a busy machine; nothing is decided by time. */
export const LIMIT_MS = 20 * 60_000;

/** Kills the service at the points of a scenario and wants it to end as if nothing had happened. */
export function describeCrashes({ name, size, wanted }: CrashCase, queues: readonly QueueFate[]): void {
  describe(`crashes of the ${name} scenario`, () => {
    const here = undisturbedRun(size);

    test('undisturbed it ends as it should', () => {
      expect(here().run.end).toEqual(wanted);
      expect(here().world.pocket.journal.unmodelled()).toEqual([]);
    });

    test.each(queues)(
      'killed anywhere, with Redis %s, it ends the same',
      async (queue) => {
        const { run, world } = here();
        const all = pointsOf(run, queue);
        const points = queue === 'emptied' || RUN_ALL ? all : sample(all, EVERY_WITH_QUEUE, SEED);
        const left = points.length === all.length ? 'all run' : `${points.length} RUN, the rest with SLUICE_CRASH=all`;
        const counts = `${run.calls.length} calls, ${run.moments.length} moments, ${all.length} different worlds`;
        process.stderr.write(`crash generator, ${name}, Redis ${queue}: ${counts}, ${left}\n`);
        expect(await failuresAt(world, points, { size, wanted })).toEqual([]);
      },
      LIMIT_MS,
    );
  });
}

/** One undisturbed run for all tests of a group. */
export function undisturbedRun(size: Size): () => { readonly world: CrashWorld; readonly run: Undisturbed } {
  const made: { readonly world: CrashWorld; readonly run: Undisturbed }[] = [];
  beforeAll(async () => {
    const world = await CrashWorld.open();
    made.push({ world, run: await runUndisturbed(world, size) });
  }, LIMIT_MS);
  afterAll(async () => {
    for (const { world } of made) await world.close();
  });
  return () => {
    const [first] = made;
    if (first === undefined) throw new Error('there is no undisturbed run');
    return first;
  };
}
