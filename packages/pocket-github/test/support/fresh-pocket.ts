import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type PocketSnapshot, restoreSnapshot, takeSnapshot } from '../../src/snapshots.js';
import type { PocketOptions } from '../../src/pocket.js';
import { openPocket, type TestPocket } from './test-pocket.js';

/**
 * One Pocket GitHub for a whole test file, put back to its first moment before each test: starting one takes longer than most
 * tests. Only its clock and its journal go on. What `prepare` founds is there in every test.
 */
export function freshPocketEachTest(
  give: (p: TestPocket) => void,
  prepare?: (p: TestPocket) => Promise<void>,
  options: Partial<PocketOptions> = {},
): void {
  const opened: { p: TestPocket; start: PocketSnapshot }[] = [];
  beforeAll(async () => {
    const p = await openPocket(options);
    await prepare?.(p);
    opened.push({ p, start: await takeSnapshot(p.pocket.world) });
    give(p);
  });
  beforeEach(async () => {
    for (const { p, start } of opened) {
      await p.pocket.settle();
      await restoreSnapshot(p.pocket.world, start);
      p.receiver.received.length = 0;
    }
  });
  afterAll(async () => {
    for (const { p } of opened) await p.close();
  });
}
