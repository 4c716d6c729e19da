import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BLIND_PHASES, BLIND_SWAP, blindToComments } from '../support/crash-damage.js';
import { failuresAt, pointsOf } from '../support/crash-points.js';
import { type Damage, runUndisturbed, type Undisturbed } from '../support/crash-scenario.js';
import { overtaken } from '../support/crash-stall.js';
import { CrashWorld, type EndState } from '../support/crash-world.js';
import { PATCH } from './crash-cases.js';

const LIMIT_MS = 10 * 60_000;
const { size, wanted } = PATCH;

describe('the safeguards of a run', () => {
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

  /** Late points first: there is less left to run. */
  const recovered = (queue: 'kept' | 'emptied', damage: Damage) =>
    failuresAt(here().world, pointsOf(here().run, queue).toReversed(), { size, wanted, ...damage }, { stopAtFirst: true });

  /** Ends of instances that were overtaken at every second swap of a phase (its result), or at every first one. */
  async function* overtakenEnds(nth: number, damage: Damage = {}): AsyncGenerator<EndState> {
    for (const { moment } of pointsOf(here().run, 'emptied').toReversed()) {
      const end = await overtaken(here().world, moment, { size, nth, ...damage });
      if (end !== null) yield end;
    }
  }

  test.each([1, 2])(
    'an instance that wakes up at its swap number %d after another has taken over changes nothing',
    async (nth) => {
      const ends: EndState[] = [];
      for await (const end of overtakenEnds(nth)) ends.push(end);
      expect(ends.length).toBeGreaterThan(3);
      for (const end of ends) expect(end).toEqual(wanted);
    },
    LIMIT_MS,
  );

  test(
    'without the compare in compare-and-swap it shows',
    async () => {
      for await (const end of overtakenEnds(2, BLIND_SWAP)) {
        if (!isDeepStrictEqual(end, wanted)) return;
      }
      throw new Error('nobody noticed');
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
