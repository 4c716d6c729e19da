import { describe, expect, test } from '@jest/globals';
import { pushTo, tipOf } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/test-pocket.js';
import { protectMain } from '../support/branch-protection.js';
import { errorsOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

async function run<T>(query: string, variables: Record<string, unknown> = {}, who: 'wren' | 'rita' | 'app' = 'wren') {
  return (await p.graphql(who))<T>(query, variables);
}

interface Repo<T> {
  readonly repository: T;
}

async function read<T>(selection: string, variables: Record<string, unknown> = {}, types = ''): Promise<T> {
  const query = `query${types} { repository(owner: "ada", name: "sandbox") { ${selection} } }`;
  return (await run<Repo<T>>(query, variables)).repository;
}

describe('reading refs', () => {
  test('the default branch and what it points at', async () => {
    expect(
      await read(`defaultBranchRef { name prefix target { __typename oid abbreviatedOid } repository { name } }`),
    ).toEqual({
      defaultBranchRef: {
        name: 'main',
        prefix: 'refs/heads/',
        target: { __typename: 'Commit', oid: tipOf(p, 'main'), abbreviatedOid: tipOf(p, 'main').slice(0, 7) },
        repository: { name: 'sandbox' },
      },
    });
  });

  test('by full or short name, custom refs by their full name', async () => {
    await pushTo(p, 'feature/x', { files: { a: '1' } });
    await run(
      `mutation ($id: ID!, $oid: GitObjectID!) { createRef(input: { repositoryId: $id, name: "refs/sluice/issue-7", oid: $oid }) { ref { id } } }`,
      { id: await repositoryId(), oid: tipOf(p, 'main') },
    );
    const ref = (name: string) => `ref(qualifiedName: "${name}") { prefix name }`;
    expect(
      await read(
        `a: ${ref('refs/heads/feature/x')} b: ${ref('feature/x')} c: ${ref('refs/sluice/issue-7')} d: ${ref('issue-7')}`,
      ),
    ).toEqual({
      a: { prefix: 'refs/heads/', name: 'feature/x' },
      b: { prefix: 'refs/heads/', name: 'feature/x' },
      c: { prefix: 'refs/sluice/', name: 'issue-7' },
      d: null,
    });
  });

  test('lists are by prefix and query, in either order', async () => {
    for (const name of ['topic-b', 'topic-a', 'other']) await pushTo(p, name, { files: { [name]: '1' } });
    const refs = await read(`
      all: refs(refPrefix: "refs/heads/", first: 10) { totalCount nodes { name } }
      topics: refs(refPrefix: "refs/heads/", query: "TOPIC", first: 1, orderBy: { field: ALPHABETICAL, direction: DESC }) {
        totalCount nodes { name } pageInfo { hasNextPage }
      }
      tags: refs(refPrefix: "refs/tags/", first: 1) { totalCount }`);
    expect(refs).toEqual({
      all: { totalCount: 4, nodes: ['main', 'other', 'topic-a', 'topic-b'].map((name) => ({ name })) },
      topics: { totalCount: 2, nodes: [{ name: 'topic-b' }], pageInfo: { hasNextPage: true } },
      tags: { totalCount: 0 },
    });
  });

  test('two refs are compared', async () => {
    const start = tipOf(p, 'main');
    const one = await pushTo(p, 'topic', { files: { a: '1' } });
    const two = await pushTo(p, 'topic', { files: { a: '2' }, by: 'ada' });
    await pushTo(p, 'main', { files: { b: '1' } });
    const compare = (head: string) => `compare(headRef: "${head}")`;
    expect(
      await read(`ref(qualifiedName: "main") {
        same: ${compare('main')} { status }
        topic: ${compare('refs/heads/topic')} {
          status aheadBy behindBy
          commits(first: 1) { totalCount authorCount nodes { oid } }
          baseTarget { oid } headTarget { oid }
        }
        none: ${compare('nope')} { status }
      }`),
    ).toEqual({
      ref: {
        same: { status: 'IDENTICAL' },
        topic: {
          status: 'DIVERGED',
          aheadBy: 2,
          behindBy: 1,
          commits: { totalCount: 2, authorCount: 2, nodes: [{ oid: one }] },
          baseTarget: { oid: tipOf(p, 'main') },
          headTarget: { oid: two },
        },
        none: null,
      },
    });
    expect(start).not.toBe(tipOf(p, 'main'));
  });
});

const CREATE = `mutation ($id: ID!, $name: String!, $oid: GitObjectID!) {
  createRef(input: { repositoryId: $id, name: $name, oid: $oid, clientMutationId: "m" }) {
    clientMutationId
    ref { id name target { oid } }
  }
}`;
const UPDATE = `mutation ($id: ID!, $oid: GitObjectID!, $force: Boolean) {
  updateRef(input: { refId: $id, oid: $oid, force: $force }) { ref { target { oid } } }
}`;
const DELETE = `mutation ($id: ID!) { deleteRef(input: { refId: $id }) { clientMutationId } }`;

async function repositoryId(): Promise<string> {
  return (await read<{ id: string }>('id')).id;
}
async function refId(name: string): Promise<string> {
  const { ref } = await read<{ ref: { id: string } }>(`ref(qualifiedName: $name) { id }`, { name }, '($name: String!)');
  return ref.id;
}

describe('changing refs', () => {
  test('create, move and delete', async () => {
    const start = tipOf(p, 'main');
    const oid = await pushTo(p, 'main', { files: { a: '1' } });
    expect(await run(CREATE, { id: await repositoryId(), name: 'refs/heads/topic', oid: start })).toMatchObject({
      createRef: { clientMutationId: 'm', ref: { name: 'topic', target: { oid: start } } },
    });
    const id = await refId('topic');
    expect(await run(UPDATE, { id, oid })).toEqual({ updateRef: { ref: { target: { oid } } } });
    expect(await errorsOf(run(UPDATE, { id, oid: start }))).toEqual(['UNPROCESSABLE: Update is not a fast forward']);
    expect(await run(UPDATE, { id, oid: start, force: true })).toEqual({
      updateRef: { ref: { target: { oid: start } } },
    });
    await run(DELETE, { id });
    expect(await read(`ref(qualifiedName: "topic") { id }`)).toEqual({ ref: null });
  });

  test('a ref that exists, and a name that is not below refs/, are refused', async () => {
    const id = await repositoryId();
    const oid = tipOf(p, 'main');
    expect(await errorsOf(run(CREATE, { id, oid, name: 'refs/heads/main' }))).toEqual([
      'UNPROCESSABLE: A ref named "refs/heads/main" already exists in the repository.',
    ]);
    expect(await errorsOf(run(CREATE, { id, oid, name: 'topic' }))).toEqual(['UNPROCESSABLE: Ref cannot be created']);
  });

  test('protection holds here too', async () => {
    const oid = await pushTo(p, 'topic', { files: { a: '1' } });
    protectMain(p, { requirePullRequest: true });
    expect(await errorsOf(run(UPDATE, { id: await refId('main'), oid }))).toEqual([
      'UNPROCESSABLE: Changes must be made through a pull request.',
    ]);
  });

  test('readers may not', async () => {
    const variables = { id: await repositoryId(), name: 'refs/heads/x', oid: tipOf(p, 'main') };
    expect(await errorsOf(run(CREATE, variables, 'rita'))).toEqual(['FORBIDDEN: Must have push access to repository']);
  });
});
