import { expect, test } from '@jest/globals';
import { createHeldRunWaker } from '../../../src/usecases/maintenance/wake-held-runs.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';

/* Whoever waits for something a person has lifted is woken at once, not by the next round of the sweep. */

const atWork = engineHarnessEachTest(() => undefined);

test('taking the kill switch back wakes the runs that waited for it', async () => {
  const harness = await atWork();
  const { engine } = harness.instance;
  const watch = createHeldRunWaker(engine);
  const number = await harness.open('wren');
  await engine.modelAccount.setKillSwitch(true, 'ada', 'the bill');
  await harness.say('wren', number, '/auto');
  await watch.check();
  const status = async () => (await harness.said(number)).find((body) => body.includes('sluice:status'));
  expect(await status()).toContain('### Waiting for Sluice to be switched on again');
  await engine.modelAccount.setKillSwitch(false, 'ada', 'paid');
  await harness.settle();
  expect(await status()).toContain('### Waiting for Sluice to be switched on again');
  await watch.check();
  await harness.settle();
  expect(await status()).toContain('### Done: landed and verified');
});

test('a hold that stays wakes nobody, and neither does one that ends at its own time', async () => {
  const woken: unknown[] = [];
  const harness = await atWork();
  const { engine } = harness.instance;
  const until = engine.clock.now() + 60_000;
  const holds = {
    now: [{ on: 'quota', until, because: 'the limit' } as const] as readonly {
      on: 'quota';
      until: number;
      because: string;
    }[],
  };
  const usual = await engine.modelAccount.report();
  const time = { now: engine.clock.now() };
  const watch = createHeldRunWaker({
    ...engine,
    clock: { ...engine.clock, now: () => time.now },
    modelAccount: { ...engine.modelAccount, report: async () => ({ ...usual, holds: holds.now }) },
    queue: { ...engine.queue, wake: async (ref) => void woken.push(ref) },
    events: {
      ...engine.events,
      runs: async () => [
        {
          issue: { owner: 'ada', repo: 'sandbox', number: 1 },
          run: 'r',
          status: 'waiting',
          phase: 'code',
          because: '',
          at: 0,
        },
      ],
    },
  });
  await watch.check();
  await watch.check();
  time.now = until;
  holds.now = [];
  await watch.check();
  expect(woken).toEqual([]);
});
