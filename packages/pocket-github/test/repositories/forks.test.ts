import { describe, expect, test } from '@jest/globals';
import { seedApp, seedInstallation } from '../../src/resources/apps/seed-app.js';
import { seedPersonalToken } from '../../src/seed/seed-repository.js';
import { pushTo } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import { pushFile } from '../support/push-with-git.js';
import { openPocket, type Person, type TestPocket } from '../support/test-pocket.js';
import { refusalOf } from '../support/api-refusals.js';

/* Forks and pull requests from them, as foreign clients see them. */

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});

const FORK = { owner: 'mallory', repo: 'sandbox' };
const fork = async (who: Person = 'mallory') => (await p.rest(who).rest.repos.createFork(p.at)).data;

/** Commits a file to a branch of mallory's fork, which is made if it is not there. */
async function write(branch: string, path: string, content = 'theirs\n'): Promise<string> {
  const { git: data, repos } = p.rest('mallory').rest;
  const { data: main } = await data.getRef({ ...FORK, ref: 'heads/main' });
  await data.createRef({ ...FORK, ref: `refs/heads/${branch}`, sha: main.object.sha }).catch(() => undefined);
  const file = { ...FORK, path, branch, content: Buffer.from(content).toString('base64'), message: `Write ${path}` };
  return (await repos.createOrUpdateFileContents(file)).data.commit.sha ?? '';
}

async function open(branch = 'topic', who: Person = 'mallory') {
  const pull = { ...p.at, title: 'Theirs', head: `mallory:${branch}`, base: 'main' };
  return (await p.rest(who).rest.pulls.create(pull)).data;
}

const pullFacts = async (number: number) => {
  const ask = await p.graphql('wren');
  const { repository } = await ask<{ repository: { pullRequest: Record<string, unknown> } }>(
    `query ($number: Int!) { repository(owner: "ada", name: "sandbox") { pullRequest(number: $number) {
      state isCrossRepository headRefName headRefOid headRef { name } mergeable maintainerCanModify
      headRepository { nameWithOwner isFork } headRepositoryOwner { login } baseRepository { nameWithOwner }
    } } }`,
    { number },
  );
  return repository.pullRequest;
};

describe('a fork', () => {
  test('has the branches of its parent, says whose fork it is, and is counted there', async () => {
    const made = await fork();
    expect(made).toMatchObject({
      full_name: 'mallory/sandbox',
      fork: true,
      parent: { full_name: 'ada/sandbox' },
      source: { full_name: 'ada/sandbox' },
    });
    const { data: parent } = await p.rest('ada').rest.repos.get(p.at);
    expect(parent).toMatchObject({ fork: false, forks_count: 1 });
    expect(parent).not.toHaveProperty('parent');
    const { data: listed } = await p.rest('rita').rest.repos.listForks(p.at);
    expect(listed.map(({ full_name }) => full_name)).toEqual(['mallory/sandbox']);
    const tip = async (at: { owner: string; repo: string }) =>
      (await p.rest('mallory').rest.git.getRef({ ...at, ref: 'heads/main' })).data.object.sha;
    expect(await tip(FORK)).toBe(await tip(p.at));
    const ask = await p.graphql('mallory');
    const answer = await ask('{ repository(owner: "mallory", name: "sandbox") { isFork parent { nameWithOwner } } }');
    expect(answer).toEqual({ repository: { isFork: true, parent: { nameWithOwner: 'ada/sandbox' } } });
  });

  test('is made once for each person, and has no rights from its parent', async () => {
    const first = await fork();
    expect((await fork()).id).toBe(first.id);
    const { data } = await p.rest('mallory').rest.repos.get(FORK);
    expect(data.permissions).toMatchObject({ admin: true });
    const ref = p.rest('wren').rest.git.createRef({ ...FORK, ref: 'refs/heads/x', sha: 'a'.repeat(40) });
    expect(await refusalOf(ref)).toMatchObject({ status: 403 });
  });

  test('takes another name where its own is taken, and only the default branch when asked to', async () => {
    await p.rest('wren').rest.git.createRef({
      ...p.at,
      ref: 'refs/heads/other',
      sha: (await p.rest('wren').rest.git.getRef({ ...p.at, ref: 'heads/main' })).data.object.sha,
    });
    const { data } = await p
      .rest('mallory')
      .rest.repos.createFork({ ...p.at, name: 'mine', default_branch_only: true });
    expect(data.full_name).toBe('mallory/mine');
    const { data: branches } = await p.rest('mallory').rest.repos.listBranches({ owner: 'mallory', repo: 'mine' });
    expect(branches.map(({ name }) => name)).toEqual(['main']);
  });

  test('is cloned and pushed to by its owner alone', async () => {
    await fork();
    const { oid } = await pushFile(p.gitUrl('mallory', 'mallory/sandbox'), 'mine', { 'mine.txt': 'mine\n' });
    const { data } = await p.rest('rita').rest.git.getRef({ ...FORK, ref: 'heads/mine' });
    expect(data.object.sha).toBe(oid);
    const refused = await pushFile(p.gitUrl('wren', 'mallory/sandbox'), 'hers', { 'hers.txt': 'hers\n' });
    expect(refused.stderr).toContain('Permission to mallory/sandbox.git denied to wren');
  });
});

describe('a pull request from a fork', () => {
  test('is opened by somebody who can only read, and says where it comes from', async () => {
    await fork();
    const head = await write('topic', 'a.txt');
    const pull = await open();
    expect(pull).toMatchObject({
      head: { label: 'mallory:topic', ref: 'topic', sha: head, repo: { full_name: 'mallory/sandbox', fork: true } },
      base: { label: 'ada:main', repo: { full_name: 'ada/sandbox' } },
      maintainer_can_modify: true,
      mergeable: true,
      changed_files: 1,
    });
    expect(await pullFacts(pull.number)).toMatchObject({
      state: 'OPEN',
      isCrossRepository: true,
      headRefName: 'topic',
      headRefOid: head,
      headRef: { name: 'topic' },
      headRepository: { nameWithOwner: 'mallory/sandbox', isFork: true },
      headRepositoryOwner: { login: 'mallory' },
      baseRepository: { nameWithOwner: 'ada/sandbox' },
    });
    const { data } = await p.rest('wren').rest.git.getRef({ ...p.at, ref: `pull/${pull.number}/head` });
    expect(data.object.sha).toBe(head);
  });

  test('is not what a branch of the same name in the base repository is associated with', async () => {
    await fork();
    await write('topic', 'a.txt');
    const foreign = await open();
    const { data: main } = await p.rest('wren').rest.git.getRef({ ...p.at, ref: 'heads/main' });
    await p.rest('wren').rest.git.createRef({ ...p.at, ref: 'refs/heads/topic', sha: main.object.sha });
    const ask = await p.graphql('wren');
    const answer = await ask(
      `{ repository(owner: "ada", name: "sandbox") {
        ref(qualifiedName: "refs/heads/topic") { associatedPullRequests(first: 5) { totalCount } }
        pullRequests(headRefName: "topic", first: 5) { nodes { number } }
      } }`,
    );
    expect(answer).toEqual({
      repository: {
        ref: { associatedPullRequests: { totalCount: 0 } },
        pullRequests: { nodes: [{ number: foreign.number }] },
      },
    });
  });

  test('needs the right to push to its head, and a head that is there', async () => {
    await fork();
    await write('topic', 'a.txt');
    expect(await refusalOf(open('topic', 'rita'))).toMatchObject({ status: 403 });
    expect(await refusalOf(open('nowhere'))).toMatchObject({ status: 422 });
    const call = p.rest('rita').rest.pulls.create({ ...p.at, title: 'Mine', head: 'rita:topic', base: 'main' });
    expect(await refusalOf(call)).toMatchObject({ status: 422 });
  });

  test('stands beside one from a branch of the same name, and is listed by its owner', async () => {
    await fork();
    await write('topic', 'a.txt');
    const foreign = await open();
    expect(await refusalOf(open())).toMatchObject({ status: 422 });
    await pushTo(p, 'topic', { files: { 'b.txt': 'b\n' } });
    const { data: own } = await p
      .rest('wren')
      .rest.pulls.create({ ...p.at, title: 'Ours', head: 'topic', base: 'main' });
    const listed = async (head: string) =>
      (await p.rest('ada').rest.pulls.list({ ...p.at, head })).data.map(({ number }) => number);
    expect([await listed('mallory:topic'), await listed('ada:topic')]).toEqual([[foreign.number], [own.number]]);
  });

  test('follows pushes to the fork, and is merged by git; its branch stays', async () => {
    await p.rest('ada').rest.repos.update({ ...p.at, delete_branch_on_merge: true });
    await fork();
    await write('topic', 'a.txt');
    const { number } = await open();
    const head = await write('topic', 'b.txt');
    expect((await pullFacts(number))['headRefOid']).toBe(head);
    const events = (await p.deliveries()).filter(({ event }) => event === 'pull_request');
    expect(events.map(({ payload }) => (payload as { action: string }).action)).toEqual(['opened', 'synchronize']);
    await p.rest('wren').rest.pulls.merge({ ...p.at, pull_number: number });
    const { data } = await p.rest('rita').rest.repos.getContent({ ...p.at, path: 'b.txt' });
    expect(data).toMatchObject({ name: 'b.txt' });
    const { data: tip } = await p.rest('rita').rest.repos.getCommit({ ...p.at, ref: 'main' });
    expect(tip.commit.message).toContain('from mallory/topic');
    expect((await p.rest('mallory').rest.git.getRef({ ...FORK, ref: 'heads/topic' })).data.object.sha).toBe(head);
  });

  test('that conflicts with base says so', async () => {
    await fork();
    await write('topic', 'clash.txt');
    const { number } = await open();
    const content = Buffer.from('ours\n').toString('base64');
    const file = { ...p.at, path: 'clash.txt', branch: 'main', content, message: 'Ours' };
    await p.rest('wren').rest.repos.createOrUpdateFileContents(file);
    expect(await pullFacts(number)).toMatchObject({ mergeable: 'CONFLICTING' });
  });

  test('can be closed by its author and by people of the base repository, but not by others', async () => {
    await fork();
    await write('topic', 'a.txt');
    const { number } = await open();
    const set = (who: Person, state: 'open' | 'closed') =>
      p.rest(who).rest.pulls.update({ ...p.at, pull_number: number, state });
    expect(await refusalOf(set('rita', 'closed'))).toMatchObject({ status: 403 });
    await set('mallory', 'closed');
    await write('topic', 'b.txt');
    const { data } = await set('tess', 'open');
    expect(data).toMatchObject({ state: 'open', changed_files: 2 });
  });

  test('is closed with its fork, whose name is gone then; its commits stay', async () => {
    const { id } = await fork();
    const head = await write('topic', 'a.txt');
    const { number } = await open();
    expect(await refusalOf(p.rest('mallory').rest.repos.delete(FORK))).toMatchObject({ status: 403 });
    const { text } = seedPersonalToken(p.pocket.world, p.users.mallory, ['repo', 'delete_repo']);
    const { status } = await fetch(`${p.pocket.urls.api}/repos/mallory/sandbox`, {
      method: 'DELETE',
      headers: { authorization: `token ${text}` },
    });
    expect([status, p.pocket.world.tables.repositories.get(id)]).toEqual([204, undefined]);
    expect(await pullFacts(number)).toMatchObject({
      state: 'CLOSED',
      isCrossRepository: true,
      headRef: null,
      headRepository: null,
      headRepositoryOwner: { login: 'mallory' },
    });
    const { data } = await p.rest('ada').rest.pulls.get({ ...p.at, pull_number: number });
    expect(data.head).toMatchObject({ label: 'mallory:topic', sha: head, repo: null });
    const reopen = p.rest('mallory').rest.pulls.update({ ...p.at, pull_number: number, state: 'open' });
    expect(await refusalOf(reopen)).toMatchObject({ status: 422 });
    expect((await p.rest('ada').rest.git.getCommit({ ...p.at, commit_sha: head })).data.sha).toBe(head);
  });
});

test('what forks cannot do here fails by name', async () => {
  const own = await openPocket();
  const { repos } = own.rest('ada').rest;
  expect(await refusalOf(repos.createFork(own.at))).toMatchObject({ status: 501 });
  expect(await refusalOf(own.rest('mallory').rest.repos.createFork({ ...own.at, organization: 'x' }))).toMatchObject({
    status: 501,
  });
  const app = seedApp(own.pocket.world, { owner: own.users.ada, slug: 'hears', permissions: {}, events: ['fork'] });
  seedInstallation(own.pocket.world, app, own.users.ada, 'all');
  expect(await refusalOf(own.rest('mallory').rest.repos.createFork(own.at))).toMatchObject({ status: 501 });
  expect(own.pocket.journal.unmodelled()).toHaveLength(3);
  await own.close({ unmodelledIsFine: true });
});
