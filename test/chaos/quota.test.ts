import { describe, expect, test } from '@jest/globals';
import { describeCrashes, undisturbed } from './crashes.js';
import { QUOTA } from './scenarios.js';

describeCrashes(QUOTA, ['emptied', 'kept'], 'each-kind');

describe('while the account is at its limit', () => {
  const stage = undisturbed(QUOTA);

  test('nothing runs, and the wait is no attempt', async () => {
    const { run, world } = stage();
    const code = (await world.transitions()).filter(({ phase, what }) => phase === 'code' && what !== undefined);
    expect(code.map(({ what, attempt = null }) => [what, attempt])).toEqual([
      ['taken', null],
      ['never-ran', 1],
      ['taken', null],
      ['done', 1],
    ]);
    // Issue, spec, code in vain, code; what is verified by commands needs no agent.
    expect(run.runs).toBe(4);
  });
});
