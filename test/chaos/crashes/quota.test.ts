import { describe, expect, test } from '@jest/globals';
import { describeCrashes, recordScenario } from '../support/crash/describe-crashes.js';
import { QUOTA } from '../support/crash/scenarios.js';

describeCrashes(QUOTA, ['emptied', 'kept'], 'each-kind');

describe('while the account is at its limit', () => {
  const recorded = recordScenario(QUOTA);

  test('nothing runs, and the wait is no attempt', async () => {
    const { run, world } = recorded();
    const code = (await world.transitions()).filter(({ phase, kind }) => phase === 'code' && kind !== undefined);
    expect(code.map(({ kind, attempt = null }) => [kind, attempt])).toEqual([
      ['taken', null],
      ['never-ran', 1],
      ['taken', null],
      ['done', 1],
    ]);
    // Issue, spec, code in vain, code; what is verified by commands needs no agent.
    expect(run.runs).toBe(4);
  });
});
