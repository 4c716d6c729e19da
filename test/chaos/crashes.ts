import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { failuresAt, formatPoint, pointsOf, type QueueFate } from '../support/crash-points.js';
import { runUndisturbed, type Undisturbed } from '../support/crash-run.js';
import type { CrashScenario } from '../support/crash-scenario.js';
import { CrashWorld } from '../support/crash-world.js';

/** Longer than a lease lasts without hearing from its owner. */
export const LEASE_IS_OVER_MS = 16 * 60_000;
/** For a busy machine; nothing is decided by time. */
export const LIMIT_MS = 20 * 60_000;

/** A world in which the scenario has been played once, undisturbed. */
export interface Stage {
  readonly world: CrashWorld;
  readonly scenario: CrashScenario;
  readonly run: Undisturbed;
}

/** Kills the service at every point of a scenario and wants it to end as if nothing had happened. */
export function describeCrashes(scenario: CrashScenario, queues: readonly QueueFate[]): void {
  describe(`crashes of the ${scenario.name} scenario`, () => {
    const stage = undisturbed(scenario);

    test('undisturbed it ends as it should', () => {
      expect(stage().run.end).toEqual(scenario.wanted);
      expect(stage().world.pocket.journal.unmodelled()).toEqual([]);
    });

    test.each(queues)(
      'killed anywhere, with Redis %s, it ends the same',
      async (queue) => {
        const { run } = stage();
        const points = pointsOf(run, queue);
        const counts = `${run.calls.length} calls, ${run.moments.length} moments, ${points.length} different worlds`;
        process.stderr.write(`crash generator, ${scenario.name}, Redis ${queue}: ${counts}, all run\n`);
        const failures = [];
        for await (const { point, ...found } of failuresAt(stage(), points))
          failures.push({ point: formatPoint(point), ...found });
        expect(failures).toEqual([]);
      },
      LIMIT_MS,
    );
  });
}

/** One undisturbed run for all tests of a group. */
export function undisturbed(scenario: CrashScenario): () => Stage {
  const made: Stage[] = [];
  beforeAll(async () => {
    const world = await CrashWorld.open();
    made.push({ world, scenario, run: await runUndisturbed(world, scenario) });
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
