import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Agent } from '../../../src/ports/agent.js';
import { pushTo, tipOf } from '#pocket-github/test/branches';
import type { EngineHarness } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { openReviewedPull } from '../../support/github/reviewed-pull-fixture.js';
import { afterCodeRun, CodeRunCounter } from '../../support/github/interleaving.js';

/* `.github/sluice.yml` on the base branch cannot be read: people are told so, and why, and nothing happens until it is corrected. */

let p: TestPocket;
let paid: CodeRunCounter;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});
beforeEach(() => {
  paid = new CodeRunCounter();
});

const configure = (text: string): Promise<string> => {
  p.clock.advance(1_000);
  return pushTo(p, 'main', { files: { '.github/sluice.yml': text } });
};

const TEN_MINUTES = 10 * 60_000;

/** The sweep looks at every driven issue at least every ten minutes. */
async function sweep(desk: EngineHarness): Promise<void> {
  p.clock.advance(TEN_MINUTES);
  await desk.instance.queue.wake({ ...p.at, number: 1 });
  await desk.finish();
}

const statusOf = async (desk: EngineHarness): Promise<string> =>
  (await desk.said(1)).find((body) => body.includes('sluice:status')) ?? '';

const BROKEN = [
  ['no YAML', 'test: "true"\nmerge: [never\n', 'at line 3'],
  ['a key nobody knows', 'test: "true"\nmerges: never\n', 'Unrecognized key: "merges"'],
  ['a value that cannot be', 'test: "true"\nmerge: sometimes\n', 'merge: '],
] as const;

describe('a file that cannot be read', () => {
  test.each(BROKEN)(
    '(%s) is named with its cause while a pull request is ready, and nothing is merged',
    async (...of) => {
      const [, text, why] = of;
      const scene = await openReviewedPull(p, open);
      const { harness: desk, issue } = scene;
      await configure(text);
      await desk.say('wren', issue, '/auto');
      await desk.finish();
      const status = await scene.status();
      expect(status).toContain('### Waiting for `.github/sluice.yml` to be corrected');
      expect(status).toContain('`.github/sluice.yml` on main cannot be read');
      expect(status).toContain(why);
      expect(status).toContain('Correct the file on the base branch');
      expect(status).not.toContain('merge: never');
      await desk.say('wren', issue, '/auto explain');
      const answers = (await desk.said(issue)).filter((body) => !body.includes('sluice:status')).join('\n');
      expect(answers).toContain(why);
      expect(answers).not.toContain('merge: never');
      expect(await scene.isMerged()).toBe(false);
      await configure('test: "true"\n');
      await sweep(desk);
      expect(await scene.isMerged()).toBe(true);
      expect(await desk.labels(issue)).toContain('phase/done');
    },
  );

  test('lets no agent start, and when it is corrected the run goes on without a word', async () => {
    await configure('merge: [never\n');
    const desk = await open({ size: 'XS', agent: paid.counting((usual) => usual) });
    await desk.open('wren');
    await desk.say('wren', 1, '/auto');
    await desk.finish();
    expect(desk.instance.runs()).toBe(0);
    const { halt, counters } = await desk.state(1);
    expect({ halt, runs: counters.agentRuns }).toEqual({ halt: null, runs: 0 });
    expect(await statusOf(desk)).toContain('cannot be read');
    await configure('merge: auto\n');
    await sweep(desk);
    expect(await desk.labels(1)).toContain('phase/done');
    expect(await statusOf(desk)).not.toContain('cannot be read');
    expect(paid.count).toBe(1);
  });

  test('since its work began lets nothing land; when it is corrected, the work lands without another run', async () => {
    const breaking = afterCodeRun(1, () => configure('merge: [never\n'));
    const desk = await open({ size: 'XS', agent: paid.counting(breaking) });
    await desk.open('wren');
    await desk.say('wren', 1, '/auto');
    await desk.finish();
    const [broken, before] = [tipOf(p, 'main'), paid.count];
    expect((await desk.state(1)).progress).toMatchObject({ landed: null, ready: { title: 'Do it' } });
    expect(await statusOf(desk)).toContain('cannot be read');
    await sweep(desk);
    expect(tipOf(p, 'main')).toBe(broken);
    await configure('merge: auto\n');
    await sweep(desk);
    expect(await desk.labels(1)).toContain('phase/done');
    expect(paid.count).toBe(before);
  });

  test('is seen before each process of an agent', async () => {
    const answers: (string | null)[] = [];
    const asking = (usual: Agent): Agent => ({
      run: async (job) => {
        if (job.phase === 'code') {
          await configure('merge: [never\n');
          answers.push((await job.mayStart?.()) ?? null);
        }
        return usual.run(job);
      },
    });
    const desk = await open({ agent: asking });
    await desk.open('wren');
    await desk.say('wren', 1, '/auto');
    expect(answers).toEqual([expect.stringContaining('cannot be read')]);
  });
});
