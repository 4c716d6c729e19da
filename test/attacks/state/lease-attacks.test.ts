import { expect, test } from '@jest/globals';
import { createMemoryHintStore } from '../../../src/adapters/redis/memory-hint-store.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import { agentHeldAt } from '../../support/agent/held-agent.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { passTime } from '../../support/github/pass-time.js';
import { stateTampering } from '../../support/github/state-tampering.js';

/* B1 while somebody is at work. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});
const tampering = stateTampering(() => p);

test('a state put back while an agent works ends its run; nobody starts afresh before its lease is over', async () => {
  const hints = createMemoryHintStore(p.clock);
  const held = agentHeldAt('code');
  const harness = await atWork({ hints, agent: held.agent });
  const number = await harness.open('wren');
  const driving = harness.say('wren', number, '/auto');
  await held.reached;
  await tampering.put(number, (await tampering.history(number)).at(-1) ?? '');
  await passTime(p, 10_000);
  expect(held.isStopped()).toBe(true);
  await driving.catch(() => undefined);
  const other = await atWork({ hints });
  await other.say('wren', number, '/auto');
  const said = (await other.said(number)).join('\n');
  expect(said).toContain('that run may not have ended yet. Write `/auto` again after');
  expect(other.instance.runs()).toBe(0);
  p.clock.advance(15 * 60_000);
  await other.say('wren', number, '/auto');
  await other.finish();
  expect(await other.labels(number)).toContain('phase/done');
});
