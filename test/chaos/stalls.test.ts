import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { overtaken, stallsOf } from '../support/crash-stall.js';
import { LEASE_IS_OVER_MS, LIMIT_MS, undisturbed } from './crashes.js';
import { PATCH, PULL } from './scenarios.js';

const UNDER_NO_LEASE = ['github.project', 'github.openPull', 'github.merge'];
const WRITES = [...UNDER_NO_LEASE, 'states.swap', 'github.react'];

describe.each([PATCH, PULL])('in the $name scenario', (scenario) => {
  const stage = undisturbed(scenario);
  const stalls = (calls: readonly string[]) => stallsOf(stage().run, (call) => calls.includes(call));

  test(
    'an instance that stood still before any write until another had ended the work writes nothing more',
    async () => {
      const wrong = [];
      for (const stall of stalls(WRITES)) {
        const { end, silent } = await overtaken(stage(), stall, { standsMs: LEASE_IS_OVER_MS });
        if (!silent || !isDeepStrictEqual(end, scenario.wanted)) wrong.push({ stall: stall.name, silent, end });
      }
      expect(wrong).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'too quick for its clock to tell, what it still writes does no harm or is healed',
    async () => {
      const wrong = [];
      for (const stall of stalls(UNDER_NO_LEASE)) {
        const { end } = await overtaken(stage(), stall, { standsMs: 0 });
        if (!isDeepStrictEqual(end, scenario.wanted)) wrong.push({ stall: stall.name, end });
      }
      expect(wrong).toEqual([]);
    },
    LIMIT_MS,
  );
});
