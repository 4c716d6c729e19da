import { afterEach } from '@jest/globals';
import { type Desk, type DeskOptions, openDesk } from './desk.js';
import { freshEachTest } from './fresh-pocket.js';
import type { TestPocket } from './pocket.js';
import { quicken } from './quick-repository.js';

/** A fresh Pocket GitHub for each test, and a way to put Sluice to work on it that ends with the test. */
export function deskEachTest(give: (p: TestPocket) => void): (options?: DeskOptions) => Promise<Desk> {
  const at: { p?: TestPocket } = {};
  freshEachTest(
    (p) => {
      at.p = p;
      give(p);
    },
    // A story asks git a hundred things, and starting a process from one of this size takes longer than its answer.
    async (p) => quicken(p.pocket.world.git(p.repository.id)),
  );
  const desks: Desk[] = [];
  afterEach(async () => {
    for (const desk of desks.splice(0)) await desk.close();
  });
  return async (options = {}) => {
    if (at.p === undefined) throw new Error('there is no GitHub before the first test');
    const desk = await openDesk(at.p, options);
    desks.push(desk);
    return desk;
  };
}
