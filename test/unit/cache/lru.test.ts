import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '#pocket-github/clock';
import { createExpiringLru } from '../../../src/cache/expiring-lru.js';
import { createLru } from '../../../src/cache/lru.js';

describe('the one cache', () => {
  test('forgets what was not used for longest', () => {
    const cache = createLru<number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    expect(cache.get('a')).toBe(1);
    cache.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, 3]);
  });

  test('keeps an entry however much time passes, unless it is given an end', () => {
    const clock = new ManualClock();
    const [plain, expiring] = [createLru<number>(2), createExpiringLru<number>(clock, 2)];
    plain.set('a', 1);
    expiring.set('a', 1, 1_000);
    clock.advance(999);
    expect(expiring.get('a')).toBe(1);
    clock.advance(1);
    expect([plain.get('a'), expiring.get('a')]).toEqual([1, undefined]);
  });

  test('an entry that is set again gets its whole time again', () => {
    const clock = new ManualClock();
    const cache = createExpiringLru<number>(clock, 2);
    cache.set('a', 1, 1_000);
    clock.advance(999);
    cache.set('a', 2, 1_000);
    clock.advance(999);
    expect(cache.get('a')).toBe(2);
    cache.delete('a');
    expect(cache.get('a')).toBeUndefined();
  });
});
