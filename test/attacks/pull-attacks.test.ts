import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { LEASE_MS } from '../../src/domain/lease-owner.js';
import type { Agent } from '../../src/ports/agent.js';
import { acquire } from '../../src/usecases/lease.js';
import { start } from '../../src/usecases/start.js';
import { deleteBranch } from '../support/branches.js';
import { deskEachTest } from '../support/desk-each-test.js';
import type { Desk, DeskOptions } from '../support/desk.js';
import type { TestPocket } from '../support/pocket.js';
import { strangerWith } from '../support/strangers.js';

/* A7: a stranger opens pull requests from a fork's branch that is named as ours is. In by webhook. */

let p: TestPocket;
const atWork = deskEachTest((pocket) => {
  p = pocket;
});

const WORK = 'sluice/issue-1';

interface Shown {
  readonly number: number;
  readonly author: string;
  readonly state: string;
}

/** Every pull request, oldest first. */
async function pulls(): Promise<readonly Shown[]> {
  const all = await p.rest('ada').paginate('GET /repos/{owner}/{repo}/pulls', { ...p.at, state: 'all', per_page: 100 });
  return all
    .map(({ number, user, state, merged_at }) => ({
      number,
      author: user?.login ?? '',
      state: merged_at === null ? state : 'merged',
    }))
    .toSorted((a, b) => a.number - b.number);
}

const ours = async () => (await pulls()).filter(({ author }) => author === 'sluice-dev[bot]');
const theirs = async () => (await pulls()).filter(({ author }) => author === 'mallory');

/** What Sluice wrote on a pull request of theirs. */
async function touched(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { number } of await theirs()) {
    const { data } = await p.rest('ada').rest.issues.listComments({ ...p.at, issue_number: number });
    found.push(...data.flatMap(({ user, body }) => (user?.id === p.app.botId ? [body ?? ''] : [])));
  }
  return found;
}

const deleteOnMerge = (is: boolean) => p.rest('ada').rest.repos.update({ ...p.at, delete_branch_on_merge: is });

/** An issue of size M, driven as far as a command says. */
async function driven(command: string, options: DeskOptions = {}, first = async () => {}): Promise<Desk> {
  const desk = await atWork({ size: 'M', ...options });
  const issue = await desk.open('wren');
  await first();
  await desk.say('wren', issue, command);
  await desk.finish();
  return desk;
}

/** The same, until its pull request is open and waits for checks to appear: nothing has been written down since it was opened. */
async function justOpened(): Promise<Shown> {
  const desk = await atWork({ size: 'M' });
  await desk.say('wren', await desk.open('wren'), '/auto');
  expect((await desk.state(1)).progress.pull).toBeNull();
  await desk.close();
  const [opened] = await ours();
  if (opened === undefined) throw new Error('there is no pull request');
  return opened;
}

/** A service that knows nothing but what is on GitHub goes on, to the end. */
async function goneOn(before: Desk | null, options: DeskOptions = {}): Promise<Desk> {
  await before?.close();
  const desk = await atWork({ size: 'M', ...options });
  await desk.instance.queue.wake({ ...p.at, number: 1 });
  await desk.finish();
  return desk;
}

const wren = () => ({ id: p.users.wren.id, login: 'wren' });

const CASES = [10, 30].flatMap((count) => [true, false].map((deletes) => ({ count, deletes })));

describe('A7: pull requests from a fork’s branch of our name, opened and closed one after another', () => {
  test.each(CASES)('during review hide nothing ($count, delete on merge: $deletes)', async ({ count, deletes }) => {
    await deleteOnMerge(deletes);
    const before = await driven('/auto --stop-at review');
    await (await strangerWith(p, WORK)).openAndClose(count);
    await before.settle();
    await before.say('wren', 1, '/auto');
    const desk = await goneOn(before);
    expect(await ours()).toMatchObject([{ state: 'merged' }]);
    expect(await desk.labels(1)).toContain('phase/done');
    expect(await theirs()).toHaveLength(count);
    expect(await touched()).toEqual([]);
  });

  test.each(CASES)('after the merge hide nothing ($count, delete on merge: $deletes)', async ({ count, deletes }) => {
    await deleteOnMerge(deletes);
    const before = await driven('/auto --stop-at merge');
    const [merged] = await ours();
    expect(merged).toMatchObject({ state: 'merged' });
    await (await strangerWith(p, WORK)).openAndClose(count);
    await before.say('wren', 1, '/auto');
    const desk = await goneOn(before);
    expect(await ours()).toEqual([merged]);
    expect(await desk.labels(1)).toContain('phase/done');
    expect(await touched()).toEqual([]);
  });

  test.each([10, 30])(
    'before a verification that fails lead to no other pull request than it asks for (%d)',
    async (count) => {
      const before = await driven('/auto --stop-at merge', { agent: forgetful });
      await (await strangerWith(p, WORK)).openAndClose(count);
      await before.say('wren', 1, '/auto');
      const desk = await goneOn(before, { agent: forgetful });
      expect(await ours()).toMatchObject([{ state: 'merged' }, { state: 'merged' }]);
      expect(await desk.labels(1)).toContain('phase/done');
      expect(await theirs()).toHaveLength(count);
    },
  );

  test.each([10, 30])(
    'while a verification was cut off, which had removed the branch, hide nothing (%d)',
    async (count) => {
      const before = await driven('/auto --stop-at merge');
      const { engine } = before.instance;
      const started = await start(engine, { ref: { ...p.at, number: 1 }, at: p.clock.now(), by: wren(), options: {} });
      if (started.kind !== 'started') throw new Error(`it did not go on: ${started.kind}`);
      const lease = await acquire(engine, started.snapshot, 'verify', 'it landed');
      lease?.abandon();
      p.clock.advance(LEASE_MS);
      await (await strangerWith(p, WORK)).openAndClose(count);
      const desk = await goneOn(before);
      expect(await ours()).toMatchObject([{ state: 'merged' }]);
      expect(await desk.labels(1)).toContain('phase/done');
    },
  );

  test('hide no pull request that a person merged before it was written down', async () => {
    await deleteOnMerge(true);
    const { number } = await justOpened();
    await p.rest('wren').rest.pulls.merge({ ...p.at, pull_number: number, merge_method: 'squash' });
    await (await strangerWith(p, WORK)).openAndClose(30);
    const desk = await goneOn(null);
    expect(await ours()).toMatchObject([{ number, state: 'merged' }]);
    expect(await desk.labels(1)).toContain('phase/done');
  });

  test('hide no pull request that was closed with its branch before it was written down', async () => {
    const { number } = await justOpened();
    await deleteBranch(p, WORK);
    await (await strangerWith(p, WORK)).openAndClose(30);
    const desk = await goneOn(null);
    expect(await ours()).toMatchObject([{ number, state: 'closed' }]);
    expect((await desk.state(1)).halt).toMatchObject({ code: 'pr-closed' });
    expect(desk.instance.runs()).toBe(0);
  });

  test('are searched through only so far; then a person is asked, and nothing is written again', async () => {
    await justOpened();
    await deleteBranch(p, WORK);
    const stranger = await strangerWith(p, WORK);
    await stranger.multiply(1_100);
    const desk = await goneOn(null);
    expect((await desk.state(1)).halt).toMatchObject({ state: 'needs-human', code: 'pull-unreadable' });
    expect(desk.instance.runs()).toBe(0);
    expect(await ours()).toHaveLength(1);
  });
});

describe('A7: a pull request from a fork’s branch of our name that is open', () => {
  test('is not taken for ours while we have none', async () => {
    const desk = await driven('/auto', {}, async () => {
      await (await strangerWith(p, WORK)).open();
    });
    expect(await ours()).toMatchObject([{ state: 'merged' }]);
    expect(await theirs()).toMatchObject([{ state: 'open' }]);
    expect(await desk.labels(1)).toContain('phase/done');
    expect(await touched()).toEqual([]);
  });

  test('is not taken for ours although it is newer, and is neither merged nor closed', async () => {
    const before = await driven('/auto --stop-at review');
    const foreign = await (await strangerWith(p, WORK)).open();
    await before.say('wren', 1, '/auto');
    const desk = await goneOn(before);
    expect(await ours()).toMatchObject([{ state: 'merged' }]);
    expect(await theirs()).toEqual([{ number: foreign, author: 'mallory', state: 'open' }]);
    expect(await desk.labels(1)).toContain('phase/done');
  });

  test('says nothing about the work when its fork is gone', async () => {
    const before = await driven('/auto --stop-at review');
    const stranger = await strangerWith(p, WORK);
    await stranger.open();
    await stranger.deleteFork();
    await before.say('wren', 1, '/auto');
    await goneOn(before);
    expect(await ours()).toMatchObject([{ state: 'merged' }]);
    expect(await theirs()).toMatchObject([{ state: 'closed' }]);
  });
});

/** Wants a second file that it writes only when it finds the first one landed. */
function forgetful(usual: Agent): Agent {
  return {
    run: async (job) => {
      const work = join(job.clone.path, 'work.txt');
      const hasLanded = existsSync(work) && (await readFile(work, 'utf8')).includes('polished');
      const outcome = await usual.run(job);
      if (job.phase === 'code' && hasLanded) await writeFile(join(job.clone.path, 'second.txt'), 'yes\n');
      if (job.phase !== 'issue' || outcome.kind !== 'succeeded') return outcome;
      const result = outcome.result as { readonly criteria: readonly object[] };
      const second = { text: 'There is a second file', verify: 'file_exists second.txt', stage: 'post-merge' };
      return { ...outcome, result: { ...result, criteria: [...result.criteria, second] } };
    },
  };
}
