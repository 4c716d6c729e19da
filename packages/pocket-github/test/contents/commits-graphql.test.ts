import { expect, test } from '@jest/globals';
import { pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/test-pocket.js';
import { errorsOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

async function commit<T>(selection: string, expression = 'main'): Promise<T> {
  const client = await p.graphql('rita');
  const query = `query ($expression: String!) { repository(owner: "ada", name: "sandbox") {
    object(expression: $expression) { ... on Commit { ${selection} } } } }`;
  return (await client<{ repository: { object: T } }>(query, { expression })).repository.object;
}

const iso = (at: number) => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

test('a commit tells who, when, what and where', async () => {
  const parent = tipOf(p, 'main');
  const oid = await pushTo(p, 'main', {
    files: { 'README.md': '# Better\n', 'src/a.ts': 'x\ny\n' },
    message: 'Improve it\n\nBecause.\n\nCo-authored-by: Grace <grace@example.com>',
  });
  const page = `${p.pocket.urls.html}/ada/sandbox`;
  const date = iso(p.clock.now());
  expect(
    await commit(`
      oid abbreviatedOid url treeUrl message messageHeadline messageBody
      authoredDate committedDate authoredByCommitter committedViaWeb signature { isValid }
      author { name email date user { login } }
      authors(first: 5) { nodes { email user { login } } }
      additions deletions changedFilesIfAvailable
      parents(first: 5) { totalCount nodes { oid } }
      tree { entries { name } }
      file(path: "src/a.ts") { path size }
      missing: file(path: "nope") { path }
      repository { name }`),
  ).toEqual({
    oid,
    abbreviatedOid: oid.slice(0, 7),
    url: `${page}/commit/${oid}`,
    treeUrl: `${page}/tree/${oid}`,
    message: 'Improve it\n\nBecause.\n\nCo-authored-by: Grace <grace@example.com>',
    messageHeadline: 'Improve it',
    messageBody: 'Because.\n\nCo-authored-by: Grace <grace@example.com>',
    authoredDate: date,
    committedDate: date,
    authoredByCommitter: true,
    committedViaWeb: false,
    signature: null,
    author: { name: 'wren', email: p.users.wren.email, date, user: { login: 'wren' } },
    authors: {
      nodes: [
        { email: p.users.wren.email, user: { login: 'wren' } },
        { email: 'grace@example.com', user: null },
      ],
    },
    additions: 3,
    deletions: 1,
    changedFilesIfAvailable: 2,
    parents: { totalCount: 1, nodes: [{ oid: parent }] },
    tree: { entries: ['README.md', 'package.json', 'src', 'test.sh'].map((name) => ({ name })) },
    file: { path: 'src/a.ts', size: 4 },
    missing: null,
    repository: { name: 'sandbox' },
  });
});

test('dates keep the zone they were made in', async () => {
  const { git } = p.rest('wren').rest;
  const { data } = await git.getCommit({ ...p.at, commit_sha: tipOf(p, 'main') });
  const world = p.pocket.world.git(p.repository.id);
  const author = { name: 'Grace', email: 'g@example.com', at: Date.parse('2020-02-03T04:05:06Z'), zone: '-0730' };
  const oid = await world.writeCommit({ tree: data.tree.sha, parents: [], message: 'm', author, committer: author });
  expect(await commit(`authoredDate author { date avatarUrl(size: 20) }`, oid)).toEqual({
    authoredDate: '2020-02-03T04:05:06Z',
    author: { date: '2020-02-02T20:35:06-07:30', avatarUrl: `${p.pocket.urls.html}/avatars/nobody?size=20` },
  });
});

test('an id of an object that is not there, or is something else, leads to no node', async () => {
  const wren = await p.graphql('wren');
  const repository = p.repository.id.toString(36).padStart(8, '0');
  for (const id of [`C_kwDO${repository}${'a'.repeat(40)}`, `B_kwDO${repository}${tipOf(p, 'main')}`]) {
    expect(await errorsOf(wren('query ($id: ID!) { node(id: $id) { id } }', { id }))).toEqual([
      `NOT_FOUND: Could not resolve to a node with the global id of '${id}'`,
    ]);
  }
});

test('the history is paged and narrowed', async () => {
  const start = tipOf(p, 'main');
  p.clock.advance(60_000);
  const docs = await pushTo(p, 'main', { files: { 'docs/a.md': '1' }, by: 'ada' });
  p.clock.advance(60_000);
  const since = iso(p.clock.now());
  const code = await pushTo(p, 'main', { files: { 'src/a.ts': '1' }, by: 'wren' });
  const client = await p.graphql('rita');
  const { user } = await client<{ user: { id: string } }>(`{ user(login: "ada") { id } }`);
  const nodes = '{ totalCount nodes { oid } }';
  expect(
    await commit(`
      page: history(first: 1) { totalCount nodes { oid } pageInfo { hasNextPage } }
      docs: history(first: 9, path: "docs") ${nodes}
      since: history(first: 9, since: "${since}") ${nodes}
      byId: history(first: 9, author: { id: "${user.id}" }) ${nodes}
      byMail: history(first: 9, author: { emails: ["${p.users.wren.email}"] }) ${nodes}`),
  ).toEqual({
    page: { totalCount: 3, nodes: [{ oid: code }], pageInfo: { hasNextPage: true } },
    docs: { totalCount: 1, nodes: [{ oid: docs }] },
    since: { totalCount: 1, nodes: [{ oid: code }] },
    byId: { totalCount: 2, nodes: [{ oid: docs }, { oid: start }] },
    byMail: { totalCount: 1, nodes: [{ oid: code }] },
  });
});
