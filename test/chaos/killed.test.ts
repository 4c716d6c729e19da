import { expect, test } from '@jest/globals';
import { outcryOf, stallsOf } from '../support/crash-stall.js';
import { LIMIT_MS, undisturbed } from './crashes.js';
import { PULL } from './scenarios.js';

/*
 * The generator goes on from what is outside a process at some moment. That is a kill only if nothing gets out of an instance but
 * through its ports: no timer, no cleanup, no last word.
 */

const stage = undisturbed(PULL);

test(
  'an instance whose calls never settle any more is not heard of again, though hours pass',
  async () => {
    const calls = ['agent.run', 'clone.dispose', 'github.merge', 'github.openPull', 'queue.startPhase'];
    for (const stall of stallsOf(stage().run, (call) => calls.includes(call)))
      expect([stall.name, await outcryOf(stage(), stall)]).toEqual([stall.name, { requests: 0, changed: false }]);
  },
  LIMIT_MS,
);
