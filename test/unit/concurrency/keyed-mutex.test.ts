import { describe, expect, test } from '@jest/globals';
import { createKeyedMutex } from '../../../src/concurrency/keyed-mutex.js';

describe('a keyed mutex', () => {
  test('runs tasks of one key one at a time, in the order they came, whether or not they fail', async () => {
    const mutex = createKeyedMutex();
    const order: number[] = [];
    const running = { now: 0, most: 0 };
    const task = (index: number) => async (): Promise<number> => {
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(index);
      running.now -= 1;
      if (index % 3 === 0) throw new Error(`${index}`);
      return index;
    };
    const indexes = Array.from({ length: 10 }, (_, index) => index);
    const results = await Promise.allSettled(indexes.map((index) => mutex('a', task(index))));
    expect({ order, most: running.most }).toEqual({ order: indexes, most: 1 });
    expect(results.map(({ status }) => status === 'rejected')).toEqual(indexes.map((index) => index % 3 === 0));
  });

  test('does not make one key wait for another', async () => {
    const mutex = createKeyedMutex();
    const held: { free: () => void } = { free: () => undefined };
    const first = mutex('a', () => new Promise<void>((resolve) => void (held.free = resolve)));
    expect(await mutex('b', async () => 'b')).toBe('b');
    held.free();
    await first;
  });

  test('lets a task that was asked for while the last one ended wait its turn', async () => {
    const mutex = createKeyedMutex();
    const order: string[] = [];
    const inner: Promise<void>[] = [];
    await mutex('a', async () => {
      inner.push(mutex('a', async () => void order.push('inner')));
      await new Promise((resolve) => setImmediate(resolve));
      order.push('outer');
    });
    await Promise.all(inner);
    expect(order).toEqual(['outer', 'inner']);
  });
});
