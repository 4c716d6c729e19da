import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Liveness } from '../../../src/ports/liveness.js';

/** A store of signs of life, and what can happen to it. */
export interface LivenessFixture {
  readonly liveness: Liveness;
  /** Time passes for the store. */
  pass(ms: number): Promise<void>;
  /** Everything in it is lost. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

const MINUTE = 60_000;
/** What a busy machine may take between two calls; the store's clock is a real one. */
const SOON_MS = 30_000;

export function livenessContract(name: string, openFixture: () => Promise<LivenessFixture>): void {
  describe(`signs of life in ${name}`, () => {
    let fixture: LivenessFixture;
    let liveness: Liveness;
    beforeAll(async () => {
      fixture = await openFixture();
      liveness = fixture.liveness;
    });
    afterAll(() => fixture.close());
    beforeEach(() => fixture.empty());

    const agoOf = async (owner: string, store: string | null): Promise<number> => {
      const life = await liveness.lifeOf(owner, store);
      return life.kind === 'seen' ? life.agoMs : Number.NaN;
    };

    test('an instance is seen, and since when it was not', async () => {
      const store = await liveness.beat('one');
      expect(await liveness.beat('two')).toBe(store);
      expect(await agoOf('one', store)).toBeLessThan(SOON_MS);
      await fixture.pass(MINUTE);
      expect(await agoOf('one', store)).toBeGreaterThanOrEqual(MINUTE);
      await liveness.beat('one');
      expect(await agoOf('one', store)).toBeLessThan(SOON_MS);
      expect(await agoOf('two', store)).toBeGreaterThanOrEqual(MINUTE);
    });

    test('an instance that left in good order is told from one that fell silent, until it is back', async () => {
      const store = await liveness.beat('one');
      await liveness.leave('one');
      expect(await liveness.lifeOf('one', store)).toEqual({ kind: 'left' });
      await liveness.beat('one');
      expect(await agoOf('one', store)).toBeLessThan(SOON_MS);
    });

    test('an instance that never gave a sign of life is unknown', async () => {
      const store = await liveness.beat('one');
      expect(await liveness.lifeOf('two', store)).toEqual({ kind: 'unknown' });
    });

    test('what was taken under another store, or under none, is unknown', async () => {
      await liveness.beat('one');
      expect(await liveness.lifeOf('one', 'another')).toEqual({ kind: 'unknown' });
      expect(await liveness.lifeOf('one', null)).toEqual({ kind: 'unknown' });
    });

    test('a store that was emptied is another one, also when the instance is back in it', async () => {
      const store = await liveness.beat('one');
      await fixture.empty();
      expect(await liveness.lifeOf('one', store)).toEqual({ kind: 'unknown' });
      expect(await liveness.beat('one')).not.toBe(store);
      await fixture.pass(MINUTE);
      expect(await liveness.lifeOf('one', store)).toEqual({ kind: 'unknown' });
    });
  });
}
