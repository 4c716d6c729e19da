import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { failuresAt, formatPoint, pointsOf, type QueueFate, sampleOf } from './crash-points.js';
import { recordUndisturbedRun, type UndisturbedRun } from './crash-run.js';
import type { CrashScenario } from './crash-scenario.js';
import { CrashWorld } from './crash-world.js';

/** Longer than a lease lasts without hearing from its owner. */
export const LEASE_IS_OVER_MS = 16 * 60_000;
/** For a busy machine; nothing is decided by time. */
export const LIMIT_MS = 20 * 60_000;

/** A world in which the scenario has been played once, undisturbed. */
export interface RecordedScenario {
  readonly world: CrashWorld;
  readonly scenario: CrashScenario;
  readonly run: UndisturbedRun;
}

/** At which points of a scenario the service is killed. */
export type Extent =
  /** At one point of each kind, which takes seconds. */
  | 'each-kind'
  /** At every point that can be told apart from outside, which takes minutes. */
  | 'everywhere';

/** Decides which point stands for its kind. */
const SEED = 20260105;

/** Kills the service at points of a scenario and wants it to end as if nothing had happened. */
export function describeCrashes(scenario: CrashScenario, queues: readonly QueueFate[], extent: Extent): void {
  describe(`crashes of the ${scenario.name} scenario`, () => {
    const recorded = recordScenario(scenario);

    test('undisturbed it ends as it should', () => {
      expect(recorded().run.end).toEqual(scenario.wanted);
      expect(recorded().world.pocket.journal.unmodelled()).toEqual([]);
    });

    test.each(queues)(
      `killed ${extent === 'everywhere' ? 'anywhere' : 'at each kind of point'}, with Redis %s, it ends the same`,
      async (queue) => {
        const { run } = recorded();
        const all = pointsOf(run, queue);
        const points = extent === 'everywhere' ? all : sampleOf(all, SEED);
        const counts = `${run.calls.length} calls, ${run.moments.length} moments, ${all.length} different worlds`;
        process.stderr.write(`crash generator, ${scenario.name}, Redis ${queue}: ${counts}, ${points.length} run\n`);
        const failures = [];
        for await (const { point, ...found } of failuresAt(recorded(), points))
          failures.push({ point: formatPoint(point), ...found });
        expect(failures).toEqual([]);
      },
      LIMIT_MS,
    );
  });
}

/** One undisturbed run for all tests of a group. */
export function recordScenario(scenario: CrashScenario): () => RecordedScenario {
  const made: RecordedScenario[] = [];
  beforeAll(async () => {
    const world = await CrashWorld.open();
    made.push({ world, scenario, run: await recordUndisturbedRun(world, scenario) });
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
