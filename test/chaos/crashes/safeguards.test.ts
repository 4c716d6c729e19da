import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { BLIND_PHASES, BLIND_SWAP, blindToComments, LATE_WRITES } from '../support/crash/removed-safeguards.js';
import { failuresAt, formatPoint, type Point, pointsOf, type QueueFate } from '../support/crash/crash-points.js';
import type { Damage } from '../support/crash/crash-run.js';
import { takeOverAndResume, type Suspension, suspensionsOf } from '../support/crash/suspended-instance.js';
import {
  LEASE_IS_OVER_MS,
  LIMIT_MS,
  type RecordedScenario,
  recordScenario,
} from '../support/crash/describe-crashes.js';
import { PATCH, PULL } from '../support/crash/scenarios.js';

/*
 * The generator is worth nothing if it cannot fail: with each safeguard taken away it has to find something, and at the very
 * same place nothing when the safeguard is there.
 */

const ASKING_AGAIN: [string, QueueFate, () => Damage] = [
  'asking again whether a phase is complete',
  'kept',
  () => BLIND_PHASES,
];
const patch = recordScenario(PATCH);

describe.each([PATCH, PULL])('without a safeguard of the $name scenario', (scenario) => {
  const recorded = recordScenario(scenario);

  const crashes: readonly [string, QueueFate, () => Damage][] = [
    ['looking for comments before writing them', 'emptied', () => blindToComments(recorded().world)],
    // A patch has a second safeguard, below.
    ...(scenario === PATCH ? [] : [ASKING_AGAIN]),
  ];
  test.each(crashes)(
    'a crash shows it: %s',
    async (_, queue, damage) => {
      const point = await firstFailure(recorded(), pointsOf(recorded().run, queue), damage());
      expect({ noticed: point !== null }).toEqual({ noticed: true });
      expect(point === null ? [] : await firstFailure(recorded(), [point])).toBeNull();
    },
    LIMIT_MS,
  );

  const suspensions: readonly [string, string, Damage][] = [
    ['the compare in compare-and-swap', 'states.swap', BLIND_SWAP],
    ['writing in time', 'github.project', LATE_WRITES],
  ];
  test.each(suspensions)(
    'somebody who wakes up late shows it: %s',
    async (_, caught, damage) => {
      const found = await firstHarm(
        recorded(),
        suspensionsOf(recorded().run, (call) => call === caught),
        damage,
      );
      expect({ noticed: found !== null }).toEqual({ noticed: true });
      expect(found === null ? [] : await firstHarm(recorded(), [found])).toBeNull();
    },
    LIMIT_MS,
  );
});

test(
  'a patch does not land twice even if nobody asks again whether the phase is complete: the last look stops it',
  async () => {
    const recorded = patch();
    const [, queue, damage] = ASKING_AGAIN;
    expect(await firstFailure(recorded, pointsOf(recorded.run, queue), damage())).toBeNull();
  },
  LIMIT_MS,
);

/** Late points first: there is less left to run. */
async function firstFailure(
  recorded: RecordedScenario,
  points: readonly Point[],
  damage: Damage = {},
): Promise<Point | null> {
  for await (const { point } of failuresAt(recorded, points.toReversed(), damage)) {
    process.stderr.write(`noticed in the ${recorded.scenario.name} scenario: ${formatPoint(point)}\n`);
    return point;
  }
  return null;
}

async function firstHarm(
  recorded: RecordedScenario,
  suspensions: readonly Suspension[],
  damage: Damage = {},
): Promise<Suspension | null> {
  for (const suspension of suspensions.toReversed()) {
    const { end, silent } = await takeOverAndResume(recorded, suspension, { suspendedMs: LEASE_IS_OVER_MS, ...damage });
    if (!silent || !isDeepStrictEqual(end, recorded.scenario.wanted)) return suspension;
  }
  return null;
}
