import { describe, expect, test } from '@jest/globals';
import { commitFiles } from '../../src/git/seed-commits.js';
import { pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import { appWithPermissions } from '../support/limited-tokens.js';
import { openPocket, type TestPocket } from '../support/test-pocket.js';

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

async function read<T>(selection: string): Promise<T> {
  const client = await p.graphql('rita');
  return (await client<{ repository: T }>(`{ repository(owner: "ada", name: "sandbox") { ${selection} } }`)).repository;
}

const oidOf = async (expression: string) =>
  (await read<{ object: { oid: string } | null }>(`object(expression: ${JSON.stringify(expression)}) { oid }`)).object
    ?.oid ?? null;

/** A commit of one file on a ref of our own, as a notebook is kept. */
async function keepState(ref: string, content: string): Promise<string> {
  const author = { name: 'wren', email: p.users.wren.email, at: p.clock.now() };
  const git = p.pocket.world.git(p.repository.id);
  const sha = await commitFiles(git, { parent: null, files: { 'state.json': content }, message: 'Because', author });
  await p.rest('wren').rest.git.createRef({ ...p.at, ref, sha });
  return sha;
}

describe('a custom ref', () => {
  test('is read with its file in one query, is no branch, and told to nobody', async () => {
    const oid = await keepState('refs/sluice/issue-1', '{"phase":"code"}\n');
    expect(
      await read(`
        object(expression: "refs/sluice/issue-1") {
          oid
          ... on Commit { message file(path: "state.json") { path object { ... on Blob { text isTruncated byteSize } } } }
        }
        content: object(expression: "refs/sluice/issue-1:state.json") { ... on Blob { text } }
        missing: object(expression: "refs/sluice/issue-2") { oid }
        refs(refPrefix: "refs/heads/", first: 10) { nodes { name } }`),
    ).toEqual({
      object: {
        oid,
        message: 'Because',
        file: { path: 'state.json', object: { text: '{"phase":"code"}\n', isTruncated: false, byteSize: 17 } },
      },
      content: { text: '{"phase":"code"}\n' },
      missing: null,
      refs: { nodes: [{ name: 'main' }] },
    });
    expect((await p.rest('wren').rest.repos.listBranches(p.at)).data.map(({ name }) => name)).toEqual(['main']);
    expect(await p.deliveries()).toEqual([]);
  });

  test('is seen where it was, by a read that lags', async () => {
    p.clock.advance(60_000);
    await keepState('refs/sluice/issue-1', '{}');
    p.clock.advance(1000);
    const stale = { kind: 'stale', lagMs: 5000 } as const;
    p.pocket.faults.arm({ on: 'request', match: { surface: 'graphql' }, occurrence: { nth: 1 }, effect: stale });
    expect(await oidOf('refs/sluice/issue-1')).toBeNull();
    expect(await oidOf('refs/sluice/issue-1')).not.toBeNull();
  });
});

describe('expressions', () => {
  test('name what git names', async () => {
    const start = tipOf(p, 'main');
    const tip = await pushTo(p, 'feature/x', { files: { 'docs/a.md': '# A\n' } });
    const git = p.pocket.world.git(p.repository.id);
    const tree = (await git.commit(tip))?.tree;
    expect(await oidOf('feature/x')).toBe(tip);
    expect(await oidOf('heads/feature/x')).toBe(tip);
    expect(await oidOf('feature/x~1')).toBe(start);
    expect(await oidOf('feature/x^')).toBe(start);
    expect(await oidOf('HEAD')).toBe(start);
    expect(await oidOf(tip.slice(0, 7))).toBe(tip);
    expect(await oidOf(`${tip}^{tree}`)).toBe(tree);
    expect(await oidOf('feature/x:')).toBe(tree);
    expect(await oidOf('feature/x:docs/')).toBe((await git.entryAt(tip, 'docs'))?.oid);
    expect(await oidOf('feature/x:docs/a.md')).toBe((await git.entryAt(tip, 'docs/a.md'))?.oid);
  });

  test.each([
    'nope',
    'main:nope.md',
    'main~99',
    ':README.md',
    'main@{1}',
    ':/Initial',
    'f'.repeat(40),
    ''.padEnd(8, '0'),
  ])('%s leads nowhere', async (expression) => {
    expect(await oidOf(expression)).toBeNull();
  });

  test('an object by its id', async () => {
    const oid = tipOf(p, 'main');
    expect(await read(`object(oid: "${oid}") { __typename id oid commitUrl }`)).toEqual({
      object: {
        __typename: 'Commit',
        id: expect.stringMatching(/^C_/) as unknown,
        oid,
        commitUrl: `${p.pocket.urls.html}/ada/sandbox/commit/${oid}`,
      },
    });
  });
});

describe('files and folders', () => {
  test('trees list their entries with whole paths', async () => {
    await pushTo(p, 'main', { files: { 'docs/deep/b.md': 'b\n' } });
    expect(
      await read(`object(expression: "main:docs") { ... on Tree { entries {
        name path type mode oid extension size
        object { ... on Tree { entries { path type mode size object { __typename } } } }
      } } }`),
    ).toMatchObject({
      object: {
        entries: [
          {
            name: 'deep',
            path: 'docs/deep',
            type: 'tree',
            mode: 16384,
            object: {
              entries: [{ path: 'docs/deep/b.md', type: 'blob', mode: 33188, size: 2, object: { __typename: 'Blob' } }],
            },
          },
        ],
      },
    });
  });

  test('binary files have no text', async () => {
    await pushTo(p, 'main', { files: { 'a.bin': 'a\0b' } });
    expect(
      await read(`object(expression: "main:a.bin") { ... on Blob { text isBinary byteSize isTruncated } }`),
    ).toEqual({
      object: { text: null, isBinary: true, byteSize: 3, isTruncated: false },
    });
  });

  test('long text is cut at a whole character', async () => {
    await pushTo(p, 'main', { files: { 'long.txt': `a${'é'.repeat(300_000)}` } });
    const { object } = await read<{ object: { text: string; isTruncated: boolean; byteSize: number } }>(
      `object(expression: "main:long.txt") { ... on Blob { text isTruncated byteSize } }`,
    );
    expect(object).toMatchObject({ isTruncated: true, byteSize: 600_001 });
    expect([object.text.length, object.text.endsWith('é'), Buffer.byteLength(object.text)]).toEqual([
      256_000,
      true,
      511_999,
    ]);
  });
});

test('a git object is a node', async () => {
  const client = await p.graphql('rita');
  const { data } = await p.rest('rita').rest.git.getCommit({ ...p.at, commit_sha: tipOf(p, 'main') });
  const query = `query ($id: ID!) { node(id: $id) { id __typename ... on Commit { oid messageHeadline } } }`;
  expect(await client(query, { id: data.node_id })).toEqual({
    node: { id: data.node_id, __typename: 'Commit', oid: data.sha, messageHeadline: 'Initial commit' },
  });
});

test('of a private repository, only those who may read contents see objects', async () => {
  const hidden = await openPocket({ private: true });
  const query = `{ repository(owner: "ada", name: "sandbox") { name object(expression: "main") { oid } } }`;
  const app = await appWithPermissions(hidden, { issues: 'read' });
  await expect(app.graphql(query)).rejects.toThrow('Resource not accessible by integration');
  const reader = await appWithPermissions(hidden, { contents: 'read' });
  expect(await reader.graphql(query)).toMatchObject({ repository: { object: { oid: tipOf(hidden, 'main') } } });
  await hidden.close();
});
