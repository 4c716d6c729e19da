import { describe, expect, test } from '@jest/globals';
import { actsOn } from '../support/acts.js';
import type { Desk } from '../support/desk.js';
import { deskEachTest } from '../support/desk-each-test.js';
import type { TestPocket } from '../support/pocket.js';

/* GitHub opens no second pull request from one branch: work that is written anew goes into the one that is open. */

let p: TestPocket;
const openDesk = deskEachTest((pocket) => {
  p = pocket;
});
const { label, edit } = actsOn(() => p);

/** A run that rests with its pull request open. */
async function pulled(): Promise<{ desk: Desk; number: number }> {
  const desk = await openDesk({ size: 'M' });
  const number = await desk.open('wren');
  await desk.say('wren', number, '/auto --stop-at code');
  await desk.finish();
  expect(await pulls()).toEqual(['open']);
  return { desk, number };
}

async function pulls(): Promise<readonly string[]> {
  const { data } = await p.rest('ada').rest.pulls.list({ ...p.at, state: 'all' });
  return data.map(({ state, merged_at }) => (merged_at === null ? state : 'merged'));
}

describe('work taken up again at code while a pull request is open', () => {
  test('by a command goes into that pull request, and on to the end', async () => {
    const { desk, number } = await pulled();
    await desk.say('wren', number, '/auto retry code');
    await desk.say('wren', number, '/auto');
    await desk.finish();
    expect(await pulls()).toEqual(['merged']);
    expect(await desk.labels(number)).toContain('phase/done');
  });

  test('by a label does the same', async () => {
    const { desk, number } = await pulled();
    await label('wren', number, 'phase/code');
    await desk.finish();
    expect(await pulls()).toEqual(['merged']);
    expect(await desk.labels(number)).toContain('phase/done');
  });

  test('after an edit and a new /auto does the same', async () => {
    const { desk, number } = await pulled();
    await edit('wren', number, { body: 'Write it down, with care.' });
    await desk.say('wren', number, '/auto');
    await desk.finish();
    expect(await pulls()).toEqual(['merged']);
    expect(await desk.labels(number)).toContain('phase/done');
  });
});
