import { afterEach, expect, test } from '@jest/globals';
import { GitHostError, type GitHost } from '../../src/ports/git-host.js';
import { type Desk, openDesk } from '../support/desk.js';
import { freshEachTest } from '../support/fresh-pocket.js';
import { type HeldAgent, heldAt } from '../support/held-agent.js';
import type { TestPocket } from '../support/pocket.js';
import { passTime } from '../support/quiet.js';

let p: TestPocket;
freshEachTest((pocket) => {
  p = pocket;
});

const desks: Desk[] = [];
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close();
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

test('who cannot be heard of for a quarter of an hour lets go before somebody else may begin', async () => {
  const held = heldAt('code');
  const line = cuttable();
  const desk = await openDesk(p, { agent: held.agent, gitHost: line.over });
  desks.push(desk);
  const number = await desk.open('wren');
  const driving = desk.say('wren', number, '/auto');
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

test('who is heard of keeps it for as long as it takes', async () => {
  const held = heldAt('code');
  const desk = await openDesk(p, { agent: held.agent });
  desks.push(desk);
  const number = await desk.open('wren');
  const driving = desk.say('wren', number, '/auto');
  await held.reached;
  expect(await untilEnded(held, 40)).toBe(Infinity);
  expect((await desk.state(number)).lease?.until).toBeGreaterThan(p.clock.now() + 5 * MINUTE);
  held.open();
  await driving;
});
