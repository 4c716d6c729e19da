import { AsyncResource } from 'node:async_hooks';
import { describe, expect, test } from '@jest/globals';
import type { GitStore } from '../../src/git/git-repository.js';
import { World } from '../../src/world/world.js';

/** A clock whose tasks run in the scope of whoever set them, as those of `setTimeout` do. */
function timerLikeClock() {
  const tasks: (() => void)[] = [];
  return {
    now: () => 0,
    steady: () => 0,
    at: (_: number, task: () => void) => {
      const bound = AsyncResource.bind(task);
      tasks.push(bound);
      return () => tasks.splice(tasks.indexOf(bound), 1);
    },
    strike: () => {
      for (const task of tasks.splice(0)) task();
    },
  };
}

function world() {
  const clock = timerLikeClock();
  return { clock, world: new World({ clock, lags: { mergeableMs: 0 }, gitStore: {} as GitStore }) };
}

describe('an alarm', () => {
  test('does not hold the lock it was set under', async () => {
    const { clock, world: here } = world();
    const order: string[] = [];
    await here.exclusive(1, async () => {
      here.alarms.set(0, () => here.exclusive(1, async () => void order.push('alarm')));
      clock.strike();
      await Promise.resolve();
      order.push('holder');
    });
    await here.alarms.idle();
    expect(order).toEqual(['holder', 'alarm']);
  });

  test('that fails is a defect, told to whoever waits', async () => {
    const { clock, world: here } = world();
    here.alarms.set(0, () => Promise.reject(new Error('broken')));
    clock.strike();
    expect(here.alarms.isIdle()).toBe(false);
    await expect(here.alarms.idle()).rejects.toMatchObject({ errors: [{ message: 'broken' }] });
    expect(here.alarms.isIdle()).toBe(true);
  });

  test('is forgotten with all others at the end', async () => {
    const { clock, world: here } = world();
    const rung: string[] = [];
    here.alarms.set(0, async () => void rung.push('rung'));
    here.alarms.clear();
    clock.strike();
    await here.alarms.idle();
    expect(rung).toEqual([]);
  });
});
