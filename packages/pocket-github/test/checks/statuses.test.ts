import { describe, expect, test } from '@jest/globals';
import { tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { Person, TestPocket } from '../support/test-pocket.js';
import { refusalOf } from '../support/api-refusals.js';
import { compareWithExamples } from '../support/webhook-shape.js';

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});

type State = 'error' | 'failure' | 'pending' | 'success';
const main = () => tipOf(p, 'main');
const set = (state: State, more: Record<string, unknown> = {}, who: Person | 'app' = 'wren') =>
  p.rest(who).rest.repos.createCommitStatus({ ...p.at, sha: main(), state, ...more });
const combined = async () => (await p.rest('rita').rest.repos.getCombinedStatusForRef({ ...p.at, ref: 'main' })).data;

describe('a commit status', () => {
  test('is shown with its repository in the short form: an address, and nothing of how it is doing', async () => {
    await set('success');
    const { repository } = await combined();
    expect(repository).toMatchObject({ full_name: 'ada/sandbox', url: expect.stringContaining('/repos/ada/sandbox') });
    expect(Object.keys(repository)).not.toEqual(expect.arrayContaining(['clone_url']));
    expect(Object.keys(repository)).not.toEqual(expect.arrayContaining(['pushed_at']));
  });

  test('has a context even if it was given none', async () => {
    const { data, status } = await set('pending', { description: 'Thinking', target_url: 'https://ci.example.com/1' });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      state: 'pending',
      context: 'default',
      description: 'Thinking',
      target_url: 'https://ci.example.com/1',
      creator: { login: 'wren' },
      created_at: '2026-01-05T09:00:00Z',
    });
  });

  test('needs write access and a commit', async () => {
    expect((await refusalOf(set('success', {}, 'tess'))).status).toBe(403);
    const sha = 'e'.repeat(40);
    expect(await refusalOf(set('success', { sha }))).toEqual({
      status: 422,
      message: `No commit found for SHA: ${sha}`,
    });
  });

  test('takes a description of 140 characters and not one more', async () => {
    await set('success', { description: 'd'.repeat(140) });
    expect(await refusalOf(set('success', { description: 'd'.repeat(141) }))).toMatchObject({
      status: 422,
      message: 'Validation Failed',
      errors: [
        { resource: 'Status', field: 'description', message: 'description is too long (maximum is 140 characters)' },
      ],
    });
  });

  test('is the thousandth and last of its context on a commit, however the context is spelt', async () => {
    const { world } = p.pocket;
    const { data } = await set('success', { context: 'ci' });
    const first = world.tables.statuses.must(data.id);
    for (let count = 1; count < 1000; count++) world.tables.statuses.insert({ ...first, id: world.newId() });
    expect(await refusalOf(set('success', { context: 'CI' }))).toMatchObject({
      status: 422,
      errors: [{ message: 'This SHA and context has reached the maximum number of statuses.' }],
    });
    expect((await set('success', { context: 'other' })).status).toBe(201);
  });

  test('is told to everybody with its commit and branches, in the shape GitHub sends', async () => {
    await set('success', { context: 'ci' }, 'app');
    const [delivery] = await p.deliveries();
    expect(delivery).toMatchObject({
      event: 'status',
      payload: {
        state: 'success',
        context: 'ci',
        sha: main(),
        name: 'ada/sandbox',
        commit: { sha: main(), commit: { message: 'Initial commit' }, author: { login: 'ada' } },
        branches: [{ name: 'main', commit: { sha: main() }, protected: false }],
        sender: { login: 'sluice-dev[bot]' },
      },
    });
    expect(delivery === undefined ? null : compareWithExamples(delivery)).toMatchObject({ missing: [] });
  });
});

describe('the combined status', () => {
  test('is pending while there is none', async () => {
    expect(await combined()).toMatchObject({ state: 'pending', total_count: 0, statuses: [], sha: main() });
  });

  test('counts the newest status of each context', async () => {
    await set('failure', { context: 'ci' });
    await set('success', { context: 'ci' });
    expect(await combined()).toMatchObject({ state: 'success', total_count: 1, statuses: [{ state: 'success' }] });
    await set('pending', { context: 'deploy' });
    expect(await combined()).toMatchObject({ state: 'pending', total_count: 2 });
    await set('error', { context: 'lint' });
    expect(await combined()).toMatchObject({ state: 'failure', total_count: 3 });
  });

  test('leaves the former statuses in the list, newest first', async () => {
    await set('failure', { context: 'ci' });
    await set('success', { context: 'ci' });
    const { data } = await p.rest('rita').rest.repos.listCommitStatusesForRef({ ...p.at, ref: main() });
    expect(data.map((status) => status.state)).toEqual(['success', 'failure']);
  });
});
