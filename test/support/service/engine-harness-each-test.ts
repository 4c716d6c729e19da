import { afterEach } from '@jest/globals';
import { type EngineHarness, type EngineHarnessOptions, openEngineHarness } from './engine-harness.js';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { answerInProcess } from '#pocket-github/test/in-process-git';

/** A fresh Pocket GitHub for each test, and a way to put Sluice to work on it that ends with the test. */
export function engineHarnessEachTest(
  give: (p: TestPocket) => void,
): (options?: EngineHarnessOptions) => Promise<EngineHarness> {
  const at: { p?: TestPocket } = {};
  freshPocketEachTest(
    (p) => {
      at.p = p;
      give(p);
    },
    // A test makes a hundred git calls, and starting a process takes longer than the answer.
    async (p) => answerInProcess(p.pocket.world.git(p.repository.id)),
  );
  const harnesses: EngineHarness[] = [];
  afterEach(async () => {
    for (const harness of harnesses.splice(0)) await harness.close();
  });
  return async (options = {}) => {
    if (at.p === undefined) throw new Error('there is no GitHub before the first test');
    const harness = await openEngineHarness(at.p, options);
    harnesses.push(harness);
    return harness;
  };
}
