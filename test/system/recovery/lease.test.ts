import { afterEach, expect, test } from '@jest/globals';
import { GitHostError, type GitHost } from '../../../src/ports/git-host.js';
import { type EngineHarness, openEngineHarness } from '../../support/service/engine-harness.js';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { type HeldAgent, agentHeldAt } from '../../support/agent/held-agent.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { passTime } from '../../support/github/pass-time.js';

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});

const harnesses: EngineHarness[] = [];
afterEach(async () => {
  for (const harness of harnesses.splice(0)) await harness.close();
});

const MINUTE = 60_000;

/** A git host that can be cut off. */
function cuttable(): { cut: boolean; readonly over: (usual: GitHost) => GitHost } {
  const line = {
    cut: false,
    over: (usual: GitHost): GitHost =>
      new Proxy(usual, {
        get: (host, name: keyof GitHost) =>
          line.cut && name === 'fetch'
            ? () => Promise.reject(new GitHostError('no answer', 'transient'))
            : (host[name] as (...args: unknown[]) => unknown).bind(host),
      }),
  };
  return line;
}

/** Lets minutes pass, with a look in between, until the agent was told to end; says how long that took. */
async function untilEnded(held: HeldAgent, most: number): Promise<number> {
  for (let minutes = 1; minutes <= most; minutes += 1) {
    await passTime(p, MINUTE);
    if (held.isStopped()) return minutes;
  }
  return Infinity;
}

test('a holder that cannot renew for a quarter of an hour lets go before somebody else may begin', async () => {
  const held = agentHeldAt('code');
  const line = cuttable();
  const harness = await openEngineHarness(p, { agent: held.agent, gitHost: line.over });
  harnesses.push(harness);
  const number = await harness.open('wren');
  const driving = harness.say('wren', number, '/auto');
  await held.reached;
  line.cut = true;
  const minutes = await untilEnded(held, 20);
  expect(minutes).toBeGreaterThan(10);
  expect(minutes).toBeLessThanOrEqual(15);
  // What another would begin now, this one begins.
  line.cut = false;
  held.open();
  await driving.catch(() => undefined);
});

test('a holder that renews keeps it for as long as it takes', async () => {
  const held = agentHeldAt('code');
  const harness = await openEngineHarness(p, { agent: held.agent });
  harnesses.push(harness);
  const number = await harness.open('wren');
  const driving = harness.say('wren', number, '/auto');
  await held.reached;
  expect(await untilEnded(held, 40)).toBe(Infinity);
  expect((await harness.state(number)).lease?.until).toBeGreaterThan(p.clock.now() + 5 * MINUTE);
  held.open();
  await driving;
});
