import { describe, expect, test } from '@jest/globals';
import { tipOf } from '#pocket-github/test/branches';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* What is asked for in a comment is what happens on GitHub. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const createBranch = async (branch: string): Promise<void> => {
  await p.rest('ada').rest.git.createRef({ ...p.at, ref: `refs/heads/${branch}`, sha: tipOf(p, 'main') });
};

test('the branch the repository names is the one work lands on, unless somebody names another', async () => {
  const harness = await atWork({ policy: { base: 'release/2' } });
  await createBranch('release/2');
  const before = tipOf(p, 'main');
  const number = await harness.open('wren');
  await harness.say('wren', number, '/auto');
  await harness.finish();
  expect(await harness.labels(number)).toContain('phase/done');
  expect([tipOf(p, 'main') === before, tipOf(p, 'release/2') === before]).toEqual([true, false]);
});

describe('--base', () => {
  test('lands the work there and nowhere else', async () => {
    const harness = await atWork();
    await createBranch('release/2');
    const before = tipOf(p, 'main');
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto --base release/2');
    await harness.finish();
    expect(await harness.labels(number)).toContain('phase/done');
    expect(tipOf(p, 'main')).toBe(before);
    expect(tipOf(p, 'release/2')).not.toBe(before);
  });

  test('that does not exist stops before anything is done; without it, or once it exists, the run goes on', async () => {
    const harness = await atWork();
    const before = tipOf(p, 'main');
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto --base release/2');
    expect(await harness.state(number)).toMatchObject({
      halt: { state: 'needs-human', code: 'base-missing' },
      counters: { agentRuns: 0 },
    });
    expect(await harness.labels(number)).toContain('auto/needs-human');
    expect((await harness.said(number)).join('\n')).toContain('there is no branch release/2');

    await createBranch('release/2');
    await harness.say('wren', number, '/auto --base release/2 --stop-at issue');
    expect(await harness.state(number)).toMatchObject({ halt: { state: 'paused', code: 'stopped-at' } });

    await harness.say('wren', number, '/auto');
    await harness.finish();
    expect(await harness.labels(number)).toContain('phase/done');
    expect(tipOf(p, 'release/2')).toBe(before);
    expect(tipOf(p, 'main')).not.toBe(before);
  });
});

test('--stop-at code leaves a pull request to look at, even of a small issue; /auto goes on to the end', async () => {
  const harness = await atWork({ size: 'XS' });
  const before = tipOf(p, 'main');
  const number = await harness.open('wren');
  await harness.say('wren', number, '/auto --stop-at code');
  await harness.finish();
  expect(await harness.labels(number)).toEqual(expect.arrayContaining(['auto/paused', 'phase/review']));
  expect(tipOf(p, 'main')).toBe(before);
  const { data: pulls } = await p.rest('ada').rest.pulls.list({ ...p.at });
  expect(pulls.map(({ head }) => head.ref)).toEqual([`sluice/issue-${number}`]);

  await harness.say('wren', number, '/auto');
  await harness.finish();
  expect(await harness.labels(number)).toContain('phase/done');
});

test.each(['/auto stpo', '/auto --wat', '/auto 1\n/auto 2'])('%j starts nothing', async (body) => {
  const harness = await atWork();
  const number = await harness.open('wren');
  await harness.say('wren', number, body);
  await expect(harness.state(number)).rejects.toThrow('there is no state');
});
