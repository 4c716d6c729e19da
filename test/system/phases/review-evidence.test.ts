import { expect, test } from '@jest/globals';
import type { Agent } from '../../../src/ports/agent.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';

const atWork = engineHarnessEachTest(() => {});

test('a review that gives an opinion for one of its scores is thrown back, and asked for a file and line or an exit code', async () => {
  const prompts: string[] = [];
  const opinionated = (usual: Agent): Agent => ({
    run: async (job) => {
      const outcome = await usual.run(job);
      if (job.phase !== 'review' || outcome.kind !== 'succeeded') return outcome;
      prompts.push(job.prompt);
      const result = outcome.result as { readonly scores: object };
      const scores = { ...result.scores, d6: { score: 1, evidence: 'e.g. it looks fine' } };
      return { ...outcome, result: { ...result, scores } };
    },
  });
  const harness = await atWork({ agent: opinionated, size: 'M' });
  const number = await harness.open('wren');
  await harness.say('wren', number, '/auto');
  await harness.finish();
  expect((await harness.state(number)).progress.review).toBeNull();
  expect(prompts.at(-1)).toContain(
    'D6 maintainability has no evidence: cite path:line, or a command in backticks with its exit code.',
  );
});
