import { expect, test } from '@jest/globals';
import type { Agent } from '../../../src/ports/agent.js';
import type { EngineHarness } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { until } from '../../support/until.js';

/* Several issues asked for at once, and how many may be under way. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const DONE = ['phase/done', 'size/XS', 'triaged'];

/** The issues agents worked on, in order. */
const noting =
  (worked: number[]) =>
  (usual: Agent): Agent => ({
    run: (job) => {
      if (job.phase === 'issue') worked.push(Number(/#(\d+)/.exec(job.prompt)?.[1]));
      return usual.run(job);
    },
  });

test('a listed batch runs one after the other, in its order, and takes no turn in the line', async () => {
  const worked: number[] = [];
  const turns: number[] = [];
  const harness = await open({
    agent: noting(worked),
    turns: { reserveStart: async ({ number }) => (turns.push(number), null) },
  });
  for (const _ of [1, 2, 3]) await harness.open('wren');
  p.clock.advance(1_000);
  await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 1, body: '/auto --batch 3 1 2' });
  await harness.finish();
  expect(worked).toEqual([3, 1, 2]);
  expect(turns).toEqual([]);
  for (const number of [1, 2, 3]) expect(await harness.labels(number)).toEqual(DONE);
  const told = (await harness.state(2)).transitions.map(({ because }) => because);
  expect(told).toContain('#1, which came before it in its batch, has come to rest');
});

test('one of them that stops lets the next begin, and who waits says for whom', async () => {
  const waits: string[] = [];
  const harnesses: EngineHarness[] = [];
  const pausing = (usual: Agent): Agent => ({
    run: async (job) => {
      if (job.phase === 'issue' && job.prompt.includes('#1 ')) {
        await until(
          'the second one waits',
          async () => (await harnesses[0]?.labels(2))?.includes('auto/running') === true,
        );
        waits.push(...((await harnesses[0]?.said(2)) ?? []));
        await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 1, body: '/auto pause' });
      }
      return usual.run(job);
    },
  });
  const harness = await open({ agent: pausing });
  harnesses.push(harness);
  for (const _ of [1, 2]) await harness.open('wren');
  p.clock.advance(1_000);
  await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 1, body: '/auto --batch 1 2' });
  await harness.finish();
  expect(waits.join('\n')).toContain('`#1` comes before it in its batch');
  expect(await harness.labels(1)).toContain('auto/paused');
  expect(await harness.labels(2)).toEqual(DONE);
});

test.each([
  ['/auto --batch 5', 'Name them: `/auto --batch 12 15 19`'],
  ['/auto --batch --resume', '`/auto --resume N` goes on with one that stopped'],
])('%s is answered with what works instead', async (command, answer) => {
  const harness = await open();
  const number = await harness.open('wren');
  await harness.say('wren', number, command);
  expect((await harness.said(number)).join('\n')).toContain(answer);
  await harness.say('wren', number, '/auto help');
  const help = (await harness.said(number)).at(-1) ?? '';
  expect(help).toContain('/auto --batch N1 N2');
  expect(help).not.toMatch(/--batch (5|#12|--resume|N )/);
});

test('no more pull requests than allowed are open; a merged or closed one makes room', async () => {
  const harness = await open({ size: 'M', policy: { maxOpenPulls: 1 } });
  for (const _ of [1, 2]) await harness.open('wren');
  await harness.say('wren', 1, '/auto --stop-at review');
  await harness.finish();
  await harness.say('wren', 2, '/auto --stop-at review');
  await harness.settle();
  const pulls = async () => (await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all' })).data;
  expect(await pulls()).toHaveLength(1);
  const status = (await harness.said(2)).find((body) => body.includes('sluice:status')) ?? '';
  expect(status).toContain('1 pull request of Sluice is open in this repository');
  // Its branch stays: what counts is the pull request.
  await p.rest('wren').rest.pulls.update({ ...p.at, pull_number: (await pulls())[0]?.number ?? 0, state: 'closed' });
  p.clock.advance(15 * 60_000);
  await harness.finish();
  expect(await pulls()).toHaveLength(2);
});

test('--review on a small issue means a pull request', async () => {
  const harness = await open({ size: 'XS' });
  const number = await harness.open('wren');
  await harness.say('wren', number, '/auto --review=full');
  await harness.finish();
  expect(await harness.labels(number)).toEqual(DONE);
  const { data } = await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all' });
  expect(data.map(({ merged_at: at }) => at !== null)).toEqual([true]);
});
