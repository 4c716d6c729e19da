import { expect, test } from '@jest/globals';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { openStrangerFork } from '../../support/github/stranger-fork.js';

/* How many pull requests of Sluice may be open, in a repository where a stranger opens as many as they like. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const ofSluice = async () => {
  const all = await p.rest('ada').paginate('GET /repos/{owner}/{repo}/pulls', { ...p.at, state: 'all', per_page: 100 });
  return all.filter(({ user }) => user?.login === 'sluice-dev[bot]');
};

test('a hundred newer pull requests of a stranger do not hide that as many of ours are open as may be', async () => {
  const harness = await open({ size: 'M', policy: { maxOpenPulls: 1 } });
  for (const _ of [1, 2]) await harness.open('wren');
  await harness.say('wren', 1, '/auto --stop-at review');
  await harness.finish();
  await (await openStrangerFork(p, 'theirs')).addOpenCopies(120);
  await harness.say('wren', 2, '/auto --stop-at review');
  await harness.finish();
  expect(await ofSluice()).toHaveLength(1);
  const status = (await harness.said(2)).find((body) => body.includes('sluice:status')) ?? '';
  expect(status).toContain('1 pull request of Sluice is open in this repository');
});

test('a hundred pull requests from a fork’s branches of our name do not use up how many of ours may be open', async () => {
  const harness = await open({ size: 'M', policy: { maxOpenPulls: 1 } });
  await harness.open('wren');
  await (await openStrangerFork(p, 'sluice/issue-1')).addOpenCopies(120);
  await harness.say('wren', 1, '/auto --stop-at review');
  await harness.finish();
  expect(await ofSluice()).toHaveLength(1);
});
