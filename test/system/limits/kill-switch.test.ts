import { expect, test } from '@jest/globals';
import type { Agent } from '../../../src/ports/agent.js';
import { pushTo } from '#pocket-github/test/branches';
import type { EngineHarness } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* Kill switches are looked at before every process of an agent, however long ago its phase began. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});

/** Does something while the code phase is prepared, then asks whether a process may start, as the real agent does. */
const asking =
  (answers: (string | null)[], meanwhile: () => Promise<void>) =>
  (usual: Agent): Agent => ({
    run: async (job) => {
      if (job.phase !== 'code') return usual.run(job);
      answers.push((await job.mayStart?.()) ?? null);
      await meanwhile();
      answers.push((await job.mayStart?.()) ?? null);
      return usual.run(job);
    },
  });

async function answersOf(meanwhile: (harness: EngineHarness) => Promise<void>): Promise<readonly (string | null)[]> {
  const answers: (string | null)[] = [];
  const at: { harness?: EngineHarness } = {};
  at.harness = await atWork({ agent: asking(answers, async () => at.harness && meanwhile(at.harness)) });
  const number = await at.harness.open('wren');
  await at.harness.say('wren', number, '/auto');
  return answers.slice(0, 2);
}

test('the service’s', async () => {
  const answers = await answersOf(({ instance }) => instance.engine.modelAccount.setKillSwitch(true, 'ada', 'enough'));
  expect(answers).toEqual([null, expect.stringContaining('ada stopped the service: enough')]);
});

test('the repository’s, by a commit on its base branch', async () => {
  const answers = await answersOf(async () => {
    await pushTo(p, 'main', { files: { '.github/sluice.yml': 'enabled: false\n' } });
  });
  expect(answers).toEqual([null, expect.stringContaining('enabled: false')]);
});
