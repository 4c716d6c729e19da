import { describe, expect, test } from '@jest/globals';
import { BLIND_PHASES, BLIND_SWAP, blindToComments } from '../support/crash-damage.js';
import { failuresAt, type Point, pointsOf } from '../support/crash-points.js';
import type { Damage } from '../support/crash-scenario.js';
import { overtaken } from '../support/crash-stall.js';
import type { EndState } from '../support/crash-world.js';
import { LIMIT_MS, PATCH, undisturbedRun } from './crash-cases.js';

const { size, wanted } = PATCH;

describe('the safeguards of a run', () => {
  const here = undisturbedRun(size);

  /** Late points first: there is less left to run. */
  const recovered = (queue: 'kept' | 'emptied', damage: Damage) =>
    failuresAt(
      here().world,
      pointsOf(here().run, queue).toReversed(),
      { size, wanted, ...damage },
      { stopAtFirst: true },
    );

  /** Right before a phase takes its lease: its first swap takes it, its second brings the result. */
  const beforePhases = () =>
    pointsOf(here().run, 'emptied').filter(({ names }) => names.some((name) => name.includes('queue.startPhase')));

  const overtakenAt = async ({ moment }: Point, nth: number, damage: Damage = {}): Promise<EndState> => {
    const end = await overtaken(here().world, moment, { size, call: 'states.swap', nth, ...damage });
    if (end === null) throw new Error(`there was no swap number ${nth}`);
    return end;
  };

  test.each([1, 2])(
    'an instance that wakes up at its swap number %d after another has taken over changes nothing',
    async (nth) => {
      expect(beforePhases()).toHaveLength(4);
      for (const point of beforePhases()) expect(await overtakenAt(point, nth)).toEqual(wanted);
    },
    LIMIT_MS,
  );

  test(
    'without the compare in compare-and-swap it shows',
    async () => {
      const [, spec] = beforePhases();
      if (spec === undefined) throw new Error('there is no spec phase');
      expect(await overtakenAt(spec, 2, BLIND_SWAP)).not.toEqual(wanted);
    },
    LIMIT_MS,
  );

  test(
    'without looking for comments before writing them it shows',
    async () => {
      expect(await recovered('emptied', blindToComments(here().world))).toHaveLength(1);
    },
    LIMIT_MS,
  );

  test(
    'without asking again whether a phase is complete it shows',
    async () => {
      expect(await recovered('kept', BLIND_PHASES)).toHaveLength(1);
    },
    LIMIT_MS,
  );
});
