import { expect, test } from '@jest/globals';
import { createWakeWaiting } from '../../src/usecases/wake-waiting.js';
import { deskEachTest } from '../support/desk-each-test.js';

/* Whoever waits for something a person has lifted is woken at once, not by the next round of the sweep. */

const atWork = deskEachTest(() => undefined);

test('taking the kill switch back wakes the runs that waited for it', async () => {
  const desk = await atWork();
  const { engine } = desk.instance;
  const watch = createWakeWaiting(engine);
  const number = await desk.open('wren');
  await engine.account.setKillSwitch(true, 'ada', 'the bill');
  await desk.say('wren', number, '/auto');
  await watch.look();
  const status = async () => (await desk.said(number)).find((body) => body.includes('sluice:status'));
  expect(await status()).toContain('### Waiting for Sluice to be switched on again');
  await engine.account.setKillSwitch(false, 'ada', 'paid');
  await desk.settle();
  expect(await status()).toContain('### Waiting for Sluice to be switched on again');
  await watch.look();
  await desk.settle();
  expect(await status()).toContain('### Done: landed and verified');
});

test('a hold that stays wakes nobody, and neither does one that ends at its own time', async () => {
  const woken: unknown[] = [];
  const desk = await atWork();
  const { engine } = desk.instance;
  const until = engine.clock.now() + 60_000;
  const holds = {
    now: [{ on: 'quota', until, because: 'the limit' } as const] as readonly {
      on: 'quota';
      until: number;
      because: string;
    }[],
  };
  const usual = await engine.account.condition();
  const time = { now: engine.clock.now() };
  const watch = createWakeWaiting({
    ...engine,
    clock: { ...engine.clock, now: () => time.now },
    account: { ...engine.account, condition: async () => ({ ...usual, holds: holds.now }) },
    queue: { ...engine.queue, wake: async (ref) => void woken.push(ref) },
    events: {
      ...engine.events,
      runs: async () => [
        {
          issue: { owner: 'ada', repo: 'sandbox', number: 1 },
          run: 'r',
          standing: 'waiting',
          phase: 'code',
          because: '',
          at: 0,
        },
      ],
    },
  });
  await watch.look();
  await watch.look();
  time.now = until;
  holds.now = [];
  await watch.look();
  expect(woken).toEqual([]);
});
