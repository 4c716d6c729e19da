import { describe, expect, test } from '@jest/globals';
import { formatIssue, formatRepo } from '../../../src/domain/issue/ids.js';
import {
  createComment,
  formatNodeId,
  seedInstallation,
  seedRepository,
  type Issue,
  openIssue,
  type Repository,
  suspendInstallation,
} from '#pocket-github/testing';
import type { Installation, RepoScan, RepoQuery, Scanner } from '../../../src/ports/scanner.js';
import { pushTo } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { requestsOf } from '../../support/github/github-adapter.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { openSweepHarness } from '../../support/service/sweep-harness.js';

let p: TestPocket;
let scanner: Scanner;
freshPocketEachTest((pocket) => {
  p = pocket;
});

const MINUTE = 60_000;
const here = (): Installation => ({ id: p.installation.id, owner: 'ada' });

function begin(): void {
  p.pocket.faults.clear();
  ({ scanner } = openSweepHarness(p));
}

const found = (repository: Repository, title = 'Grow'): Promise<Issue> =>
  openIssue(p.pocket.world, { userId: p.users.ada.id, viaAppId: null }, repository, { title });

const say = (issue: Issue, body: string): Promise<unknown> =>
  createComment(p.pocket.world, { userId: p.users.wren.id, viaAppId: null }, issue, body);

const ask = (repo: string, since: number, pulls = false): RepoQuery => ({
  repo: { owner: 'ada', repo },
  since,
  pulls,
});

function seen(answer: RepoScan | undefined): Extract<RepoScan, { kind: 'seen' }> {
  if (answer?.kind !== 'seen') throw new Error(`not seen: ${JSON.stringify(answer)}`);
  return answer;
}

describe('where the App is installed', () => {
  test('is told without those that suspended it', async () => {
    begin();
    const { world } = p.pocket;
    const other = seedInstallation(world, p.app, p.users.mallory, 'all');
    await suspendInstallation(world, { userId: p.users.mallory.id, viaAppId: null }, other);
    expect(await scanner.installations()).toEqual([here()]);
  });

  test('has repositories, page by page, without those that cannot change any more', async () => {
    begin();
    const { tables } = p.pocket.world;
    for (let index = 0; index < 105; index += 1)
      tables.repositories.insert({ ...p.repository, id: p.pocket.world.newId(), name: `garden-${index}` });
    const [last] = tables.repositories.by('name', 'garden-104');
    if (last !== undefined) tables.repositories.update(last, { archived: true });
    const names = (await scanner.repositories(here())).map(formatRepo);
    expect(names).toHaveLength(105);
    expect(names).not.toContain('ada/garden-104');
  });
});

describe('a look at repositories', () => {
  test('tells what is driven, whatever its age and state, and what changed since', async () => {
    begin();
    const at = p.at;
    const driven = await found(p.repository);
    await p.rest('ada').rest.issues.addLabels({ ...at, issue_number: driven.number, labels: ['auto/running'] });
    await p.rest('ada').rest.issues.update({ ...at, issue_number: driven.number, state: 'closed' });
    await found(p.repository);
    p.clock.advance(10 * MINUTE);
    const since = p.clock.now();
    const changed = await found(p.repository);
    p.clock.advance(MINUTE);
    const answer = seen((await scanner.scan(here(), [ask('sandbox', since)]))[0]);
    expect(answer).toMatchObject({ at: p.clock.now(), repo: { owner: 'ada', repo: 'sandbox' }, pulls: [] });
    expect(answer.driven.map(({ ref }) => formatIssue(ref))).toEqual([`ada/sandbox#${driven.number}`]);
    expect(answer.changed).toEqual([
      { id: formatNodeId('issues', changed.id), ref: { ...at, number: changed.number }, updatedAt: since },
    ]);
  });

  test('goes on to the last page of each', async () => {
    begin();
    const garden = await seedRepository(p.pocket.world, { owner: p.users.ada, name: 'garden' });
    for (let index = 0; index < 230; index += 1) await found(garden);
    await found(p.repository);
    const { result, operations, points } = await requestsOf(p, () =>
      scanner.scan(here(), [ask('garden', 0), ask('sandbox', 0)]),
    );
    expect(result.map((answer) => seen(answer).changed.length)).toEqual([230, 1]);
    expect({ operations, points }).toEqual({
      operations: Array.from({ length: 3 }, () => 'SweepRepositories'),
      points: 3,
    });
  });

  test('knows the pull requests of work branches, as the issue they are for', async () => {
    begin();
    for (const branch of ['sluice/issue-7', 'feature']) {
      await pushTo(p, branch, { files: { [branch.replaceAll('/', '-')]: '1' } });
      await p.rest('ada').rest.pulls.create({ ...p.at, title: branch, head: branch, base: 'main' });
    }
    const [with_, without] = [
      await scanner.scan(here(), [ask('sandbox', 0, true)]),
      await scanner.scan(here(), [ask('sandbox', 0)]),
    ];
    expect(seen(with_[0]).pulls.map(({ ref }) => formatIssue(ref))).toEqual(['ada/sandbox#7']);
    expect(seen(without[0]).pulls).toEqual([]);
    p.clock.advance(MINUTE);
    expect(seen((await scanner.scan(here(), [ask('sandbox', p.clock.now(), true)]))[0]).pulls).toEqual([]);
  });

  test('asks for fifty at once for one point, and one that is gone keeps none of the others', async () => {
    begin();
    const { tables } = p.pocket.world;
    for (let index = 0; index < 60; index += 1)
      tables.repositories.insert({ ...p.repository, id: p.pocket.world.newId(), name: `garden-${index}` });
    const names = [...Array.from({ length: 60 }, (_, index) => `garden-${index}`), 'nowhere'];
    const { result, operations, points } = await requestsOf(p, () =>
      scanner.scan(
        here(),
        names.map((name) => ask(name, 0)),
      ),
    );
    expect({ operations, points }).toEqual({ operations: ['SweepRepositories', 'SweepRepositories'], points: 2 });
    expect(result.filter(({ kind }) => kind === 'seen')).toHaveLength(60);
    expect(result.find(({ kind }) => kind === 'failed')).toMatchObject({ repo: { repo: 'nowhere' } });
  });

  test('asks for fewer at once when GitHub cannot answer, until it can', async () => {
    begin();
    const { tables } = p.pocket.world;
    for (let index = 0; index < 3; index += 1)
      tables.repositories.insert({ ...p.repository, id: p.pocket.world.newId(), name: `garden-${index}` });
    const questions = ['garden-0', 'garden-1', 'garden-2', 'sandbox'].map((name) => ask(name, 0));
    p.pocket.faults.arm({
      on: 'request',
      match: { operation: 'SweepRepositories' },
      occurrence: { times: 1 },
      effect: { kind: 'status', status: 502, when: 'before' },
    });
    const kinds = async () => (await scanner.scan(here(), questions)).map(({ kind }) => kind);
    expect(await kinds()).toEqual(['failed', 'failed', 'failed', 'failed']);
    const { result, operations } = await requestsOf(p, kinds);
    expect(result).toEqual(['seen', 'seen', 'seen', 'seen']);
    expect(operations).toEqual(['SweepRepositories', 'SweepRepositories']);
  });
});

describe('a thread', () => {
  test('has every comment since, however many, and who did what to its labels', async () => {
    begin();
    const issue = await found(p.repository);
    await say(issue, 'long ago');
    p.clock.advance(10 * MINUTE);
    const since = p.clock.now();
    for (let index = 0; index < 205; index += 1) await say(issue, `${index}`);
    await p.rest('wren').rest.issues.addLabels({ ...p.at, issue_number: issue.number, labels: ['phase/ready'] });
    const id = formatNodeId('issues', issue.id);
    const [thread] = await scanner.threads(here(), [id], since);
    expect(thread).toMatchObject({ id, isPull: false, labels: ['phase/ready'] });
    expect(thread?.comments.map(({ body }) => body)).toEqual(Array.from({ length: 205 }, (_, index) => `${index}`));
    expect(thread?.comments[0]).toMatchObject({
      author: { login: 'wren', kind: 'human' },
      edited: false,
      answered: false,
    });
    expect(thread?.events).toMatchObject([{ kind: 'labeled', label: 'phase/ready', actor: { login: 'wren' } }]);
  });

  test('that is gone is left out', async () => {
    begin();
    const issue = await found(p.repository);
    const ids = [formatNodeId('issues', issue.id), formatNodeId('issues', 999_999)];
    expect((await scanner.threads(here(), ids, 0)).map(({ id }) => id)).toEqual(ids.slice(0, 1));
  });
});
