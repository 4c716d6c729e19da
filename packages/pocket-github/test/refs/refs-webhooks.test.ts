import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { moveBranch, pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/test-pocket.js';
import { compareWithExamples } from '../support/webhook-shape.js';
import { git } from '../support/git-http-fixture.js';

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

const ZERO = '0'.repeat(40);
const page = (path: string) => `${p.pocket.urls.html}/ada/sandbox/${path}`;

/** What the App heard of refs; the request to check a new head is another story. */
async function heard() {
  return (await p.deliveries()).filter(({ event }) => ['push', 'create', 'delete'].includes(event));
}
/** Lets what was sent so far arrive and leaves it out of what comes. */
async function forget(): Promise<void> {
  await p.deliveries();
  p.receiver.received.length = 0;
}
const events = async () => (await heard()).map(({ event }) => event);

interface Push {
  readonly commits: readonly { readonly id: string; readonly distinct: boolean }[];
  readonly head_commit: { readonly id: string } | null;
  readonly [member: string]: unknown;
}
const pushes = async () =>
  (await heard()).filter(({ event }) => event === 'push').map(({ payload }) => payload as Push);

describe('a push to a branch', () => {
  test('is told with its commits, files and people', async () => {
    const before = tipOf(p, 'main');
    const first = await pushTo(p, 'main', { files: { 'a.txt': 'a\n', 'b.txt': 'b\n' }, message: 'Add a and b' });
    const after = await pushTo(p, 'main', { files: { 'a.txt': 'A\n', 'b.txt': null } });
    const [, payload] = await pushes();
    const person = { name: 'wren', email: p.users.wren.email, username: 'wren' };
    expect(payload).toMatchObject({
      ref: 'refs/heads/main',
      before: first,
      after,
      created: false,
      deleted: false,
      forced: false,
      base_ref: null,
      compare: page(`compare/${first.slice(0, 12)}...${after.slice(0, 12)}`),
      pusher: { name: 'wren', email: p.users.wren.email },
      head_commit: { id: after },
      sender: { login: 'wren' },
      installation: { id: p.installation.id },
      repository: { full_name: 'ada/sandbox', master_branch: 'main', owner: { name: 'ada' } },
    });
    expect(payload?.commits).toEqual([
      {
        id: after,
        tree_id: expect.stringMatching(/^[0-9a-f]{40}$/) as unknown,
        distinct: true,
        message: 'Change a.txt, b.txt',
        timestamp: new Date(p.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
        url: page(`commit/${after}`),
        author: person,
        committer: person,
        added: [],
        removed: ['b.txt'],
        modified: ['a.txt'],
      },
    ]);
    expect((await heard()).map(compareWithExamples)).toEqual([
      { examples: 7, missing: [] },
      { examples: 7, missing: [] },
    ]);
    expect(before).not.toBe(first);
  });

  test('that throws commits away is forced', async () => {
    const start = tipOf(p, 'main');
    await pushTo(p, 'main', { files: { a: '1' } });
    await moveBranch(p, 'main', start);
    expect((await pushes()).map(({ forced, commits }) => [forced, commits.length])).toEqual([
      [false, 1],
      [true, 0],
    ]);
  });

  test('of commits that another branch had already lists them as not distinct', async () => {
    const tip = await pushTo(p, 'topic', { files: { a: '1' } });
    await moveBranch(p, 'main', tip);
    const [topic, main] = await pushes();
    expect(topic?.commits).toMatchObject([{ id: tip, distinct: true }]);
    expect(main?.commits).toMatchObject([{ id: tip, distinct: false }]);
  });
});

describe('a new branch', () => {
  test('is created and pushed, with only what it adds to the default branch', async () => {
    const tip = await pushTo(p, 'topic', { files: { a: '1' } });
    expect(await events()).toEqual(['create', 'push']);
    const [create, push] = await heard();
    expect(create?.payload).toMatchObject({
      ref: 'topic',
      ref_type: 'branch',
      master_branch: 'main',
      description: null,
      pusher_type: 'user',
    });
    expect(push?.payload).toMatchObject({
      before: ZERO,
      created: true,
      base_ref: null,
      compare: page(`commit/${tip}`),
      commits: [{ id: tip }],
    });
    expect((await heard()).map(compareWithExamples)).toMatchObject([{ missing: [] }, { missing: [] }]);
  });

  test('at the tip of the default branch brings no commits and names its base', async () => {
    const sha = tipOf(p, 'main');
    await p.rest('wren').rest.git.createRef({ ...p.at, ref: 'refs/heads/topic', sha });
    const [push] = await pushes();
    expect(push).toMatchObject({
      commits: [],
      head_commit: { id: sha, distinct: true, added: ['README.md', 'package.json', 'test.sh'] },
      base_ref: 'refs/heads/main',
      compare: page('compare/topic'),
    });
  });

  test('with several commits is compared from before the first of them', async () => {
    const first = await pushTo(p, 'other', { files: { a: '1' } });
    const last = await pushTo(p, 'other', { files: { a: '2' } });
    await moveBranch(p, 'other', null);
    await forget();
    await p.rest('wren').rest.git.createRef({ ...p.at, ref: 'refs/heads/topic', sha: last });
    expect((await pushes())[0]?.['compare']).toBe(page(`compare/${first.slice(0, 12)}^...${last.slice(0, 12)}`));
  });
});

test('a deleted branch is pushed and deleted, with no commits', async () => {
  const before = await pushTo(p, 'topic', { files: { a: '1' } });
  await forget();
  await p.rest('wren').rest.git.deleteRef({ ...p.at, ref: 'heads/topic' });
  expect(await events()).toEqual(['push', 'delete']);
  const [push, gone] = await heard();
  expect(push?.payload).toMatchObject({
    before,
    after: ZERO,
    deleted: true,
    commits: [],
    head_commit: null,
    compare: page(`compare/${before.slice(0, 12)}...${ZERO.slice(0, 12)}`),
  });
  expect(gone?.payload).toMatchObject({ ref: 'topic', ref_type: 'branch', pusher_type: 'user' });
  expect((await heard()).map(compareWithExamples)).toMatchObject([{ missing: [] }, { missing: [] }]);
});

describe('with the git command line', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pocket-refs-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function clone(name: string): Promise<string> {
    await git(folder, 'clone', '--quiet', p.gitUrl('wren'), name);
    return join(folder, name);
  }

  async function commit(at: string, file: string): Promise<string> {
    await writeFile(join(at, file), `${file}\n`);
    await git(at, 'add', '--all');
    await git(at, 'commit', '--quiet', '--message', `Add ${file}`);
    return git(at, 'rev-parse', 'HEAD');
  }

  test('a custom ref can be pushed and fetched, and is told to nobody', async () => {
    const at = await clone('custom');
    const oid = await commit(at, 'state.json');
    await git(at, 'push', '--quiet', 'origin', 'HEAD:refs/sluice/issue-1');
    expect(await events()).toEqual([]);
    expect(await git(at, 'ls-remote', 'origin', 'refs/sluice/*')).toBe(`${oid}\trefs/sluice/issue-1`);
    const { data } = await p.rest('wren').rest.repos.listBranches(p.at);
    expect(data.map(({ name }) => name)).toEqual(['main']);
  });

  test('an annotated tag is created and pushed; its head is the commit', async () => {
    const at = await clone('tagged');
    await git(at, 'tag', '--annotate', '--message', 'One', 'v1');
    await git(at, 'push', '--quiet', 'origin', 'v1');
    const [create, push] = await heard();
    expect(create?.payload).toMatchObject({ ref: 'v1', ref_type: 'tag' });
    expect(push?.payload).toMatchObject({
      ref: 'refs/tags/v1',
      after: await git(at, 'rev-parse', 'v1'),
      commits: [],
      head_commit: { id: tipOf(p, 'main') },
    });
  });

  test('two branches pushed at once count a commit as new only for the first', async () => {
    const at = await clone('twice');
    const oid = await commit(at, 'new.txt');
    await git(at, 'push', '--quiet', 'origin', 'HEAD:refs/heads/one', 'HEAD:refs/heads/two');
    const distinct = (await pushes()).map(({ commits }) =>
      commits.map((pushed) => [pushed.id === oid, pushed.distinct]),
    );
    expect(distinct).toEqual([[[true, true]], [[true, false]]]);
  });

  test('more than three tags at once are announced for none of them', async () => {
    const at = await clone('many');
    for (const name of ['a', 'b', 'c', 'd']) await git(at, 'tag', name);
    await git(at, 'push', '--quiet', '--tags', 'origin');
    expect(await events()).toEqual([]);
    expect((await p.rest('wren').rest.git.listMatchingRefs({ ...p.at, ref: 'tags' })).data).toHaveLength(4);
  });
});
