import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { effectsAfterKill, takeOverAndResume, type Suspension, suspensionsOf } from './suspended-instance.js';
import { type Extent, LEASE_IS_OVER_MS, LIMIT_MS, type RecordedScenario, recordScenario } from './describe-crashes.js';
import { PATCH, PULL } from './scenarios.js';

const KILLED_BEFORE = ['agent.run', 'clone.dispose', 'github.merge', 'github.openPull', 'queue.startPhase'];
const READS = ['github.snapshot', 'github.roleOf', 'github.issueOfPull'];
const writesGitHub = (call: string): boolean => call.startsWith('github.') && !READS.includes(call);
const writes = (call: string): boolean => call === 'states.swap' || writesGitHub(call);

/** An instance stands still before calls of a scenario: before each there is, or before the last of each kind. */
export function describeSuspensions(extent: Extent): void {
  const suspensions = ({ run }: RecordedScenario, caught: (call: string) => boolean): readonly Suspension[] => {
    const all = suspensionsOf(run, caught);
    return extent === 'everywhere'
      ? all
      : [...new Map(all.map((suspension) => [suspension.call, suspension])).values()];
  };

  describe.each([PATCH, PULL])('in the $name scenario', (scenario) => {
    const recorded = recordScenario(scenario);

    test(
      'an instance that stood still before any write until another had ended the work writes nothing more',
      async () => {
        const wrong = [];
        for (const suspension of suspensions(recorded(), writes)) {
          const { end, silent } = await takeOverAndResume(recorded(), suspension, { suspendedMs: LEASE_IS_OVER_MS });
          if (!silent || !isDeepStrictEqual(end, scenario.wanted)) wrong.push({ stall: suspension.name, silent, end });
        }
        expect(wrong).toEqual([]);
      },
      LIMIT_MS,
    );

    test(
      'too quick for its clock to tell, what it still writes does no harm or is healed',
      async () => {
        const wrong = [];
        for (const suspension of suspensions(recorded(), writesGitHub)) {
          const { end } = await takeOverAndResume(recorded(), suspension, { suspendedMs: 0 });
          if (!isDeepStrictEqual(end, scenario.wanted)) wrong.push({ stall: suspension.name, end });
        }
        expect(wrong).toEqual([]);
      },
      LIMIT_MS,
    );

    // The generator goes on from what is outside a process at some moment. That is a kill only if nothing gets out of an instance but
    // through its ports: no timer, no cleanup, no last word.
    test(
      'an instance whose calls never settle any more changes nothing, though hours pass',
      async () => {
        for (const suspension of suspensions(recorded(), (call) => KILLED_BEFORE.includes(call)))
          expect([suspension.name, await effectsAfterKill(recorded(), suspension)]).toEqual([
            suspension.name,
            { requests: 0, changed: false },
          ]);
      },
      LIMIT_MS,
    );
  });
}
