import { describe, expect, test } from '@jest/globals';
import { issueActions } from '../../support/github/issue-actions.js';
import type { EngineHarness } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* GitHub opens no second pull request from one branch: work that is written anew goes into the one that is open. */

let p: TestPocket;
const openHarness = engineHarnessEachTest((pocket) => {
  p = pocket;
});
const { label, edit } = issueActions(() => p);

/** A run that rests with its pull request open. */
async function pulled(): Promise<{ harness: EngineHarness; number: number }> {
  const harness = await openHarness({ size: 'M' });
  const number = await harness.open('wren');
  await harness.say('wren', number, '/auto --stop-at code');
  await harness.finish();
  expect(await pulls()).toEqual(['open']);
  return { harness, number };
}

async function pulls(): Promise<readonly string[]> {
  const { data } = await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all' });
  return data.map(({ state, merged_at }) => (merged_at === null ? state : 'merged'));
}

describe('work taken up again at code while a pull request is open', () => {
  test('by a command goes into that pull request, and on to the end', async () => {
    const { harness, number } = await pulled();
    await harness.say('wren', number, '/auto retry code');
    await harness.say('wren', number, '/auto');
    await harness.finish();
    expect(await pulls()).toEqual(['merged']);
    expect(await harness.labels(number)).toContain('phase/done');
  });

  test('by a label does the same', async () => {
    const { harness, number } = await pulled();
    await label('wren', number, 'phase/code');
    await harness.finish();
    expect(await pulls()).toEqual(['merged']);
    expect(await harness.labels(number)).toContain('phase/done');
  });

  test('after an edit and a new /auto does the same', async () => {
    const { harness, number } = await pulled();
    await edit('wren', number, { body: 'Write it down, with care.' });
    await harness.say('wren', number, '/auto');
    await harness.finish();
    expect(await pulls()).toEqual(['merged']);
    expect(await harness.labels(number)).toContain('phase/done');
  });
});
