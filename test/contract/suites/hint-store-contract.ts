import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '#pocket-github/clock';
import type { Clock } from '../../../src/ports/clock.js';
import type { HintStore } from '../../../src/ports/hint-store.js';

/** Where hint stores live, and how they forget. */
export interface HintStoreFixture {
  /** Another instance that shares what there is. */
  open(clock: Clock): HintStore;
  forget(): Promise<void>;
  close(): Promise<void>;
}

const MINUTE = 60_000;

export function hintStoreContract(name: string, openFixture: () => Promise<HintStoreFixture>): void {
  describe(`hints kept by ${name}`, () => {
    let fixture: HintStoreFixture;
    let clock: ManualClock;
    let hints: HintStore;
    beforeAll(async () => {
      fixture = await openFixture();
    });
    afterAll(() => fixture.close());
    beforeEach(async () => {
      await fixture.forget();
      clock = new ManualClock();
      hints = fixture.open(clock);
    });

    test('are there until they run out or are lost', async () => {
      expect(await hints.get('a')).toBeNull();
      await hints.set('a', 'one two\n3', MINUTE);
      await hints.set('b', '{"x":1}', MINUTE);
      expect([await hints.get('a'), await hints.get('b')]).toEqual(['one two\n3', '{"x":1}']);
      await hints.set('a', '', 2 * MINUTE);
      clock.advance(MINUTE);
      expect([await hints.get('a'), await hints.get('b')]).toEqual(['', null]);
      await fixture.forget();
      expect(await fixture.open(clock).get('a')).toBeNull();
    });

    test('let one owner hold a right, and keep it, until it lets go or is silent', async () => {
      expect(await hints.acquire('lead', 'one', MINUTE)).toBe(true);
      expect(await hints.acquire('lead', 'two', MINUTE)).toBe(false);
      clock.advance(MINUTE - 1);
      expect(await hints.acquire('lead', 'one', MINUTE)).toBe(true);
      clock.advance(MINUTE - 1);
      expect(await hints.acquire('lead', 'two', MINUTE)).toBe(false);
      clock.advance(1);
      expect(await hints.acquire('lead', 'two', MINUTE)).toBe(true);
      await hints.release('lead', 'one');
      expect(await hints.acquire('lead', 'one', MINUTE)).toBe(false);
      await hints.release('lead', 'two');
      expect(await hints.acquire('lead', 'one', MINUTE)).toBe(true);
    });

    test('give a right that several want at the same time to one', async () => {
      const owners = ['one', 'two', 'three', 'four'];
      const held = await Promise.all(owners.map((owner) => hints.acquire('lead', owner, MINUTE)));
      expect(held.filter((one) => one)).toHaveLength(1);
    });

    test('count acts over every window, and say when there is room again', async () => {
      const windows = [
        { ms: MINUTE, max: 3 },
        { ms: 10 * MINUTE, max: 5 },
      ];
      const start = clock.now();
      expect(await hints.spend('w', 2, windows)).toBeNull();
      clock.advance(10_000);
      expect(await hints.spend('w', 1, windows)).toBeNull();
      expect(await hints.spend('w', 1, windows)).toBe(start + MINUTE);
      expect(await hints.spend('w', 3, windows)).toBe(start + 10 * MINUTE);
      expect(await hints.spend('other', 3, windows)).toBeNull();
      clock.advance(50_000);
      expect(await hints.spend('w', 2, windows)).toBeNull();
      clock.advance(MINUTE);
      expect(await hints.spend('w', 1, windows)).toBe(start + 10 * MINUTE);
      clock.advance(8 * MINUTE);
      expect(await hints.spend('w', 1, windows)).toBeNull();
    });

    test('count more than a limit allows at all as the limit', async () => {
      const windows = [{ ms: MINUTE, max: 3 }];
      expect(await hints.spend('w', 7, windows)).toBeNull();
      expect(await hints.spend('w', 7, windows)).toBe(clock.now() + MINUTE);
    });

    test('never let more through than the limit, however many ask at once', async () => {
      const windows = [{ ms: MINUTE, max: 5 }];
      const all = await Promise.all(Array.from({ length: 20 }, () => hints.spend('w', 1, windows)));
      expect(all.filter((until) => until === null)).toHaveLength(5);
    });
  });
}
