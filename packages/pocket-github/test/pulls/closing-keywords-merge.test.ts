import { describe, expect, test } from '@jest/globals';
import { pushTo } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/test-pocket.js';

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

async function issue(title: string): Promise<number> {
  const { data } = await p.rest('rita').rest.issues.create({ ...p.at, title });
  return data.number;
}

async function pull(head: string, body: string, base = 'main'): Promise<number> {
  const { data } = await p.rest('wren').rest.pulls.create({ ...p.at, title: 'Do it', head, base, body });
  return data.number;
}

const merge = (pull_number: number, merge_method: 'merge' | 'squash' | 'rebase' = 'merge') =>
  p.rest('ada').rest.pulls.merge({ ...p.at, pull_number, merge_method });

const read = async (issue_number: number) => (await p.rest('rita').rest.issues.get({ ...p.at, issue_number })).data;

async function linked(number: number): Promise<number[]> {
  const client = await p.graphql('rita');
  const { repository } = await client<{
    repository: { pullRequest: { closingIssuesReferences: { nodes: { number: number }[] } } };
  }>(
    `query ($number: Int!) { repository(owner: "ada", name: "sandbox") {
      pullRequest(number: $number) { closingIssuesReferences(first: 10) { nodes { number } } } } }`,
    { number },
  );
  return repository.pullRequest.closingIssuesReferences.nodes.map((node) => node.number);
}

async function closers(number: number, includeClosedPrs: boolean): Promise<number[]> {
  const client = await p.graphql('rita');
  const { repository } = await client<{
    repository: { issue: { closedByPullRequestsReferences: { nodes: { number: number }[] } } };
  }>(
    `query ($number: Int!, $all: Boolean!) { repository(owner: "ada", name: "sandbox") {
      issue(number: $number) { closedByPullRequestsReferences(first: 10, includeClosedPrs: $all) { nodes { number } } } } }`,
    { number, all: includeClosedPrs },
  );
  return repository.issue.closedByPullRequestsReferences.nodes.map((node) => node.number);
}

const eventsOn = (number: number) => {
  const { issues, events } = p.pocket.world.tables;
  const subject = issues.all().find((row) => row.number === number);
  return events.by('subjectId', subject?.id ?? 0);
};

describe('a pull request that names issues', () => {
  test('links them, and closes them when it is merged, as the merger and with itself as the cause', async () => {
    const [one, two, three] = [await issue('One'), await issue('Two'), await issue('Three')];
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const number = await pull('topic', `Closes #${one}, fixes ada/sandbox#${two} and mentions #${three}.`);
    expect(await linked(number)).toEqual([one, two]);
    expect(await closers(one, false)).toEqual([number]);
    expect(await closers(three, false)).toEqual([]);
    await merge(number);
    expect([(await read(one)).state, (await read(two)).state, (await read(three)).state]).toEqual([
      'closed',
      'closed',
      'open',
    ]);
    expect(await read(one)).toMatchObject({ state_reason: 'completed', closed_by: { login: 'ada' } });
    const pullId = p.pocket.world.tables.pulls.all()[0]?.id;
    expect(eventsOn(one).find(({ name }) => name === 'closed')?.data).toEqual({
      reason: 'completed',
      byPullId: pullId,
      byCommit: null,
    });
    expect([await closers(one, false), await closers(one, true)]).toEqual([[], [number]]);
    const told = (await p.deliveries()).filter(
      ({ event, payload }) => event === 'issues' && payload.action === 'closed',
    );
    expect(told).toHaveLength(2);
  });

  test('follows the description when that is edited', async () => {
    const [one, two] = [await issue('One'), await issue('Two')];
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const number = await pull('topic', `Closes #${one}`);
    await p.rest('wren').rest.pulls.update({ ...p.at, pull_number: number, body: `Closes #${two}` });
    expect(await linked(number)).toEqual([two]);
    await merge(number);
    expect([(await read(one)).state, (await read(two)).state]).toEqual(['open', 'closed']);
  });

  test('links and closes nothing while its base is not the default branch', async () => {
    const one = await issue('One');
    await pushTo(p, 'dev', { files: { 'd.txt': 'd' } });
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const number = await pull('topic', `Closes #${one}`, 'dev');
    expect([await linked(number), await closers(one, true)]).toEqual([[], []]);
    await p.rest('wren').rest.pulls.update({ ...p.at, pull_number: number, base: 'main' });
    expect(await linked(number)).toEqual([one]);
    await p.rest('wren').rest.pulls.update({ ...p.at, pull_number: number, base: 'dev' });
    await merge(number);
    expect((await read(one)).state).toBe('open');
  });

  test('is told to those it mentions once, saying whether it will close them', async () => {
    const [one, two] = [await issue('One'), await issue('Two')];
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const number = await pull('topic', `Closes #${one}, see #${two}`);
    await p
      .rest('wren')
      .rest.issues.createComment({ ...p.at, issue_number: number, body: `again #${two}, \`#${one}\`` });
    const mentions = (of: number) =>
      eventsOn(of)
        .filter(({ name }) => name === 'cross-referenced')
        .map(({ data }) => data);
    const source = p.pocket.world.tables.issues.all().find((row) => row.number === number)?.id;
    expect(mentions(one)).toEqual([{ sourceIssueId: source, willClose: true }]);
    expect(mentions(two)).toEqual([{ sourceIssueId: source, willClose: false }]);
  });
});

describe('commits that name issues', () => {
  test('close them when they reach the default branch, and only then', async () => {
    const one = await issue('One');
    const oid = await pushTo(p, 'topic', { files: { 'a.txt': 'a' }, message: `Do it\n\nFixes #${one}` });
    expect((await read(one)).state).toBe('open');
    expect(eventsOn(one).map(({ name }) => name)).toEqual(['opened', 'referenced']);
    const number = await pull('topic', 'No words');
    expect(await linked(number)).toEqual([]);
    await merge(number);
    expect((await read(one)).state).toBe('closed');
    expect(eventsOn(one).at(-1)).toMatchObject({ name: 'closed', data: { byCommit: oid, byPullId: null } });
  });

  test('close them by a direct push too, in the pusher’s name', async () => {
    const [one, twelve] = [await issue('One'), 12];
    await pushTo(p, 'main', { files: { 'a.txt': 'a' }, message: `Closes #${twelve}` });
    expect((await read(one)).state).toBe('open');
    await pushTo(p, 'main', { files: { 'b.txt': 'b' }, message: `closes #${one}`, by: 'ada' });
    expect(await read(one)).toMatchObject({ state: 'closed', closed_by: { login: 'ada' } });
  });

  test('leave the closing to the pull request that says so itself', async () => {
    const one = await issue('One');
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' }, message: `Fixes #${one}` });
    const number = await pull('topic', `Fixes #${one}`);
    await merge(number, 'squash');
    const closed = eventsOn(one).filter(({ name }) => name === 'closed');
    expect(closed.map(({ data }) => data)).toEqual([
      { reason: 'completed', byPullId: p.pocket.world.tables.pulls.all()[0]?.id, byCommit: null },
    ]);
  });
});
