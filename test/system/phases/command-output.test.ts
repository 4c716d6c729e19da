import { expect, test } from '@jest/globals';
import type { Agent } from '../../../src/ports/agent.js';
import type { Workspace } from '../../../src/ports/workspace.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';

/* What commands of criteria print, and what of it reaches prompts and the state. */

const atWork = engineHarnessEachTest(() => {});

/** Triages to criteria with these commands, and keeps the prompts of every phase. */
function withCommands(commands: readonly string[], prompts: Map<string, string[]> = new Map()) {
  const criteria = commands.map((run, index) => ({
    text: `Part ${index + 1} holds`,
    verify: `command "${run}"`,
    stage: 'pre-merge',
  }));
  const steps = [{ text: 'Write the file.', criteria: criteria.map((_, index) => `c${index + 1}`) }];
  return (usual: Agent): Agent => ({
    run: async (job) => {
      prompts.set(job.phase, [...(prompts.get(job.phase) ?? []), job.prompt]);
      const outcome = await usual.run(job);
      if (outcome.kind !== 'succeeded') return outcome;
      const result = outcome.result as object;
      if (job.phase === 'issue') return { ...outcome, result: { ...result, criteria } };
      if (job.phase === 'spec') return { ...outcome, result: { ...result, steps } };
      return outcome;
    },
  });
}

test('of commands that pass, the review sees every verdict and the end of the output, and the state keeps no more', async () => {
  const prompts = new Map<string, string[]>();
  const harness = await atWork({ agent: withCommands(Array<string>(6).fill('seq 1 6000'), prompts), size: 'M' });
  const number = await harness.open('wren');
  await harness.say('wren', number, '/auto');
  await harness.finish();
  const review = prompts.get('review')?.at(-1) ?? '';
  expect(review).toContain('c1 PASS, c2 PASS, c3 PASS, c4 PASS, c5 PASS, c6 PASS');
  expect(review).toContain('  5999\n  6000');
  expect(review.length).toBeLessThan(9_000);
  const { verify } = (await harness.state(number)).progress;
  expect(verify?.results).toHaveLength(6);
  for (const { evidence } of verify?.results ?? []) {
    expect(evidence).toMatch(/left out …\]\n[\s\S]*\n5999\n6000$/);
    expect(evidence.length).toBeLessThan(650);
  }
});

test('of a command that fails, the agent is given the beginning and the end, line by line', async () => {
  const prompts = new Map<string, string[]>();
  const harness = await atWork({ agent: withCommands(['seq 1 6000; exit 3'], prompts) });
  const number = await harness.open('wren');
  await harness.say('wren', number, '/auto');
  await harness.finish();
  const [, again = ''] = prompts.get('code') ?? [];
  expect(again).toContain('c1 does not hold:\n  1\n  2\n  3\n');
  expect(again).toMatch(/5999\n  6000\n  \(exit code 3\)/);
  const given = /c1 does not hold:([\s\S]*?)<\/data-/.exec(again)?.[1]?.replaceAll('\n  ', '\n') ?? '';
  expect(given.length).toBeGreaterThan(4_000);
  expect(given.length).toBeLessThan(4_100);
});

test('a command that does not come to an end has not failed: nothing lands, and nobody is told that it does not hold', async () => {
  const slow = (usual: Workspace): Workspace => ({
    open: async (request) => {
      const clone = await usual.open(request);
      return {
        path: clone.path,
        home: clone.home,
        mounts: clone.mounts,
        run: (...given) => clone.run(...given),
        check: async () => ({ passed: false, timedOut: true, output: '(stopped after 900 s: its time was up)' }),
        collect: (...given) => clone.collect(...given),
        dispose: () => clone.dispose(),
      };
    },
  });
  const prompts = new Map<string, string[]>();
  const harness = await atWork({ agent: withCommands(['sleep 1000'], prompts), workspace: slow });
  const number = await harness.open('wren');
  await harness.say('wren', number, '/auto');
  await harness.finish();
  const again = prompts.get('code')?.[1] ?? '';
  expect(again).toContain('c1 could not be decided');
  expect(again).not.toContain('does not hold');
  expect((await harness.state(number)).progress.landed).toBeNull();
});
