import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { seedRepository, seedUser } from '../../src/seed/seed-repository.js';
import { openPocket, type TestPocket } from '../support/test-pocket.js';
import { compareWithExamples } from '../support/webhook-shape.js';

let p: TestPocket;
const open = async () => {
  p = await openPocket();
};
const close = () => p.close();

/** A pocket for each test, or one for a group whose tests do not disturb each other. */
const pocketForEach = () => {
  beforeEach(open);
  afterEach(close);
};
const pocketForAll = () => {
  beforeAll(open);
  afterAll(close);
};

const actions = async () =>
  (await p.deliveries())
    .filter(({ event }) => event === 'repository')
    .map((delivery) => {
      expect(compareWithExamples(delivery).missing).toEqual([]);
      return delivery.payload.action;
    });

describe('a repository', () => {
  pocketForEach();

  test('shows what it is, and what its viewer may do with it', async () => {
    const { data } = await p.rest('wren').rest.repos.get(p.at);
    expect(data).toMatchObject({
      id: p.repository.id,
      full_name: 'ada/sandbox',
      private: false,
      visibility: 'public',
      default_branch: 'main',
      clone_url: `${p.pocket.urls.html}/ada/sandbox.git`,
      permissions: { admin: false, maintain: false, push: true, triage: true, pull: true },
      allow_squash_merge: true,
      created_at: '2026-01-05T09:00:00Z',
    });
  });

  test('keeps its merge settings from those who may not write', async () => {
    const asReader = (await p.rest('rita').rest.repos.get(p.at)).data;
    expect(asReader).not.toHaveProperty('allow_squash_merge');
    expect((await p.rest('anonymous').rest.repos.get(p.at)).data).not.toHaveProperty('permissions');
    expect((await p.rest('app').rest.repos.get(p.at)).data).toHaveProperty('allow_squash_merge', true);
  });

  test('counts open issues', async () => {
    await p.rest('rita').rest.issues.create({ ...p.at, title: 'one' });
    expect((await p.rest('rita').rest.repos.get(p.at)).data).toMatchObject({ open_issues_count: 1, open_issues: 1 });
  });

  test('answers an unchanged question with 304, which costs nothing', async () => {
    const first = await p.rest('wren').rest.repos.get(p.at);
    const again = p.rest('wren').rest.repos.get({ ...p.at, headers: { 'if-none-match': String(first.headers.etag) } });
    await expect(again).rejects.toMatchObject({ status: 304 });
    const { data } = await p.rest('wren').rest.rateLimit.get();
    expect(data.resources.core.used).toBe(1);
  });

  test('is the same over GraphQL', async () => {
    const query = await p.graphql('wren');
    const { repository } = await query<{ repository: object }>(`{
      repository(owner: "ADA", name: "Sandbox") {
        databaseId name nameWithOwner url isPrivate isArchived isFork isEmpty visibility viewerPermission viewerCanAdminister
        owner { __typename login } mergeCommitAllowed squashMergeAllowed rebaseMergeAllowed autoMergeAllowed deleteBranchOnMerge
        mergeCommitTitle squashMergeCommitMessage createdAt pushedAt updatedAt description
      }
    }`);
    expect(repository).toEqual({
      databaseId: p.repository.id,
      name: 'sandbox',
      nameWithOwner: 'ada/sandbox',
      url: `${p.pocket.urls.html}/ada/sandbox`,
      isPrivate: false,
      isArchived: false,
      isFork: false,
      isEmpty: false,
      visibility: 'PUBLIC',
      viewerPermission: 'WRITE',
      viewerCanAdminister: false,
      owner: { __typename: 'User', login: 'ada' },
      mergeCommitAllowed: true,
      squashMergeAllowed: true,
      rebaseMergeAllowed: true,
      autoMergeAllowed: false,
      deleteBranchOnMerge: false,
      mergeCommitTitle: 'MERGE_MESSAGE',
      squashMergeCommitMessage: 'COMMIT_MESSAGES',
      createdAt: '2026-01-05T09:00:00Z',
      pushedAt: '2026-01-05T09:00:00Z',
      updatedAt: '2026-01-05T09:00:00Z',
      description: null,
    });
  });

  test('tells an App no role of its own', async () => {
    const query = await p.graphql('app');
    const answer = await query(
      '{ repository(owner: "ada", name: "sandbox") { viewerPermission viewerCanAdminister } }',
    );
    expect(answer).toEqual({ repository: { viewerPermission: null, viewerCanAdminister: true } });
  });
});

describe('a renamed repository', () => {
  pocketForEach();

  beforeEach(async () => {
    await p.rest('ada').rest.repos.update({ ...p.at, name: 'Beach' });
  });

  test('answers reads under its former name by a lasting redirect, which clients follow', async () => {
    const url = `${p.pocket.urls.api}/repos/ada/sandbox/labels?per_page=5`;
    const response = await fetch(url, { redirect: 'manual' });
    expect(response.status).toBe(301);
    expect(response.headers.get('location')).toBe(
      `${p.pocket.urls.api}/repositories/${p.repository.id}/labels?per_page=5`,
    );
    expect(await response.json()).toMatchObject({ message: 'Moved Permanently' });
    expect((await p.rest('wren').rest.repos.get(p.at)).data.full_name).toBe('ada/Beach');
  });

  test('answers writes by a redirect that keeps the method and the body', async () => {
    const url = `${p.pocket.urls.api}/repos/ada/sandbox/labels`;
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { authorization: `token ${p.tokenOf('wren')}` },
      body: '{"name":"x"}',
    });
    expect(response.status).toBe(307);
    const { status } = await p.rest('wren').rest.issues.createLabel({ ...p.at, name: 'moved' });
    expect(status).toBe(201);
  });

  test('can be had by its id', async () => {
    const response = await fetch(`${p.pocket.urls.api}/repositories/${p.repository.id}`);
    expect(await response.json()).toMatchObject({ full_name: 'ada/Beach' });
    expect((await fetch(`${p.pocket.urls.api}/repositories/1`)).status).toBe(404);
  });

  test('is found by GraphQL under its former name unless renames are not to be followed', async () => {
    const query = await p.graphql('wren');
    expect(await query('{ repository(owner: "ada", name: "sandbox") { name } }')).toEqual({
      repository: { name: 'Beach' },
    });
    await expect(
      query('{ repository(owner: "ada", name: "sandbox", followRenames: false) { name } }'),
    ).rejects.toMatchObject({
      errors: [{ type: 'NOT_FOUND' }],
    });
  });

  test('says what it was called', async () => {
    expect(await actions()).toEqual(['renamed']);
    expect(p.receiver.received[0]?.payload).toMatchObject({
      changes: { repository: { name: { from: 'sandbox' } } },
      repository: { name: 'Beach' },
      sender: { login: 'ada' },
    });
  });

  test('gives its former name up to a new repository, and can take it back otherwise', async () => {
    await p.rest('ada').rest.repos.update({ owner: 'ada', repo: 'Beach', name: 'sandbox' });
    const response = await fetch(`${p.pocket.urls.api}/repos/ada/sandbox`, { redirect: 'manual' });
    expect(response.status).toBe(200);
    await p.rest('ada').rest.repos.update({ owner: 'ada', repo: 'sandbox', name: 'dune' });
    await seedRepository(p.pocket.world, { owner: p.users.ada, name: 'sandbox' });
    expect((await p.rest('ada').rest.repos.get(p.at)).data.id).not.toBe(p.repository.id);
  });
});

describe('the settings of a repository', () => {
  pocketForEach();

  test('change one by one', async () => {
    const { data } = await p
      .rest('ada')
      .rest.repos.update({ ...p.at, allow_auto_merge: true, delete_branch_on_merge: true, allow_rebase_merge: false });
    expect(data).toMatchObject({
      allow_auto_merge: true,
      delete_branch_on_merge: true,
      allow_rebase_merge: false,
      allow_squash_merge: true,
    });
    expect(await actions()).toEqual([]);
  });

  test.each([
    [
      'no way to merge left',
      { allow_merge_commit: false, allow_squash_merge: false, allow_rebase_merge: false },
      'merge_commit_allowed',
    ],
    ['a default branch that does not exist', { default_branch: 'nowhere' }, 'default_branch'],
    ['a name that is taken', { name: 'Taken' }, 'name'],
    ['a name that leads elsewhere', { name: '..' }, 'name'],
  ])('refuse %s', async (_, change, field) => {
    await seedRepository(p.pocket.world, { owner: p.users.ada, name: 'taken' });
    await expect(p.rest('ada').rest.repos.update({ ...p.at, ...change })).rejects.toMatchObject({
      status: 422,
      response: { data: { message: 'Validation Failed', errors: [{ resource: 'Repository', field }] } },
    });
  });

  test('archive it: nothing can be written any more, but it can be unarchived', async () => {
    await p.rest('ada').rest.repos.update({ ...p.at, archived: true });
    await expect(p.rest('wren').rest.issues.createLabel({ ...p.at, name: 'x' })).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('Repository was archived so is read-only.'),
    });
    expect((await p.rest('wren').rest.issues.listLabelsForRepo(p.at)).status).toBe(200);
    await p.rest('ada').rest.repos.update({ ...p.at, archived: false });
    expect((await p.rest('wren').rest.issues.createLabel({ ...p.at, name: 'x' })).status).toBe(201);
    expect(await actions()).toEqual(['archived', 'unarchived']);
  });

  test('tell of a new description', async () => {
    await p.rest('ada').rest.repos.update({ ...p.at, description: 'Sand' });
    expect(await actions()).toEqual(['edited']);
    expect(p.receiver.received[0]?.payload).toMatchObject({
      changes: { description: { from: null } },
      repository: { description: 'Sand' },
    });
  });
});

describe('lists of repositories', () => {
  pocketForAll();

  beforeAll(async () => {
    const { world } = p.pocket;
    await seedRepository(world, { owner: p.users.ada, name: 'attic', private: true });
    const guild = seedUser(world, { login: 'guild', type: 'Organization' });
    await seedRepository(world, { owner: guild, name: 'works', private: true });
    world.tables.users.update(p.users.rita, { organizationIds: [guild.id] });
  });
  const names = (repositories: readonly { full_name: string }[]) => repositories.map(({ full_name }) => full_name);

  test('show what one owns, collaborates on or belongs to', async () => {
    expect(names((await p.rest('ada').rest.repos.listForAuthenticatedUser()).data)).toEqual([
      'ada/attic',
      'ada/sandbox',
    ]);
    expect(names((await p.rest('rita').rest.repos.listForAuthenticatedUser()).data)).toEqual([
      'ada/sandbox',
      'guild/works',
    ]);
    expect(
      names((await p.rest('rita').rest.repos.listForAuthenticatedUser({ affiliation: 'organization_member' })).data),
    ).toEqual(['guild/works']);
    expect(names((await p.rest('ada').rest.repos.listForAuthenticatedUser({ visibility: 'private' })).data)).toEqual([
      'ada/attic',
    ]);
    await expect(p.rest('app').rest.repos.listForAuthenticatedUser()).rejects.toMatchObject({ status: 403 });
  });

  test('hide what the viewer may not see', async () => {
    expect(names((await p.rest('anonymous').rest.repos.listForUser({ username: 'ada' })).data)).toEqual([
      'ada/sandbox',
    ]);
    expect(names((await p.rest('mallory').rest.repos.listForOrg({ org: 'guild' })).data)).toEqual([]);
    expect(names((await p.rest('rita').rest.repos.listForOrg({ org: 'guild' })).data)).toEqual(['guild/works']);
  });

  test('are connections in GraphQL', async () => {
    const query = await p.graphql('ada');
    const answer = await query(`{
      viewer { repositories(first: 5, orderBy: { field: NAME, direction: DESC }) { totalCount nodes { name } } }
      user(login: "ada") { repositories(first: 5, privacy: PRIVATE) { nodes { name } } }
    }`);
    expect(answer).toEqual({
      viewer: { repositories: { totalCount: 2, nodes: [{ name: 'sandbox' }, { name: 'attic' }] } },
      user: { repositories: { nodes: [{ name: 'attic' }] } },
    });
  });
});

describe('accounts', () => {
  pocketForAll();

  test('show themselves and each other', async () => {
    expect((await p.rest('wren').rest.users.getAuthenticated()).data).toMatchObject({
      login: 'wren',
      id: p.users.wren.id,
      type: 'User',
    });
    expect((await p.rest('anonymous').rest.users.getByUsername({ username: 'sluice-dev[bot]' })).data).toMatchObject({
      type: 'Bot',
      id: p.app.botId,
    });
    await expect(p.rest('anonymous').rest.users.getByUsername({ username: 'nobody' })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('are viewer, user, owner and node in GraphQL', async () => {
    const query = await p.graphql('wren');
    const { viewer } = await query<{ viewer: { id: string; login: string } }>('{ viewer { id login isViewer } }');
    expect(viewer).toMatchObject({ login: 'wren', isViewer: true });
    const answer = await query(
      `query ($id: ID!) {
        node(id: $id) { __typename ... on User { login } }
        user(login: "Rita") { login databaseId url isViewer }
        repositoryOwner(login: "ada") { __typename login }
        missing: repositoryOwner(login: "nobody") { login }
      }`,
      { id: viewer.id },
    );
    expect(answer).toEqual({
      node: { __typename: 'User', login: 'wren' },
      user: { login: 'rita', databaseId: p.users.rita.id, url: `${p.pocket.urls.html}/rita`, isViewer: false },
      repositoryOwner: { __typename: 'User', login: 'ada' },
      missing: null,
    });
    await expect(query('{ user(login: "nobody") { id } }')).rejects.toMatchObject({
      errors: [
        { type: 'NOT_FOUND', path: ['user'], message: "Could not resolve to a User with the login of 'nobody'." },
      ],
    });
  });

  test('of Apps keep their [bot] as viewer and lose it as author', async () => {
    const query = await p.graphql('app');
    expect(await query('{ viewer { login } }')).toEqual({ viewer: { login: 'sluice-dev[bot]' } });
    const { data } = await p.rest('app').rest.issues.create({ ...p.at, title: 'by the bot' });
    const { node } = await query<{ node: object }>(
      'query ($id: ID!) { node(id: $id) { ... on Issue { author { __typename login } } } }',
      { id: data.node_id },
    );
    expect(node).toEqual({ author: { __typename: 'Bot', login: 'sluice-dev' } });
  });
});

describe('nodes', () => {
  pocketForAll();

  test('have the type of what they are', async () => {
    const { rest } = p.rest('wren');
    const issue = (await rest.issues.create({ ...p.at, title: 'one' })).data;
    const comment = (await rest.issues.createComment({ ...p.at, issue_number: issue.number, body: 'two' })).data;
    const label = (await rest.issues.createLabel({ ...p.at, name: 'three' })).data;
    const bot = (await rest.users.getByUsername({ username: 'sluice-dev[bot]' })).data;
    const app = (await rest.apps.getBySlug({ app_slug: 'sluice-dev' })).data;
    const ids = [issue, comment, label, bot, app, issue.user].map((record) => record?.node_id ?? '');
    const query = await p.graphql('wren');
    const { nodes } = await query<{ nodes: readonly { __typename: string; id: string }[] }>(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }',
      { ids },
    );
    expect(nodes.map(({ __typename }) => __typename)).toEqual(['Issue', 'IssueComment', 'Label', 'Bot', 'App', 'User']);
    expect(nodes.map(({ id }) => id)).toEqual(ids);
  });

  test('answer what they can and name what they cannot', async () => {
    const query = await p.graphql('wren');
    const { repository } = await query<{ repository: { id: string } }>(
      '{ repository(owner: "ada", name: "sandbox") { id } }',
    );
    await expect(
      query('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename } }', { ids: [repository.id, 'R_nothing'] }),
    ).rejects.toMatchObject({
      data: { nodes: [{ __typename: 'Repository' }, null] },
      errors: [
        {
          type: 'NOT_FOUND',
          path: ['nodes', 1],
          message: "Could not resolve to a node with the global id of 'R_nothing'",
        },
      ],
    });
  });
});

describe('the rate limit', () => {
  pocketForEach();

  test('is asked for free and counts everything else', async () => {
    const octokit = p.rest('wren');
    await octokit.rest.repos.get(p.at);
    await octokit.rest.rateLimit.get();
    const { data, headers } = await octokit.rest.rateLimit.get();
    expect(data.resources.core).toEqual({
      limit: 5000,
      used: 1,
      remaining: 4999,
      reset: Date.UTC(2026, 0, 5, 10) / 1000,
    });
    expect(data.rate).toEqual(data.resources.core);
    expect(headers['x-ratelimit-used']).toBe('1');
  });

  test('is answered even when nothing is left', async () => {
    p.pocket.faults.arm({
      on: 'request',
      match: { operation: 'GET /repos/{owner}/{repo}' },
      occurrence: { nth: 1 },
      effect: { kind: 'primary-limit' },
    });
    await expect(p.rest('wren').rest.repos.get(p.at)).rejects.toMatchObject({ status: 403 });
    expect((await p.rest('wren').rest.rateLimit.get()).data.resources.core.remaining).toBe(0);
  });

  test('is told by GraphQL with the cost of the query that asks', async () => {
    const query = await p.graphql('wren');
    const ask =
      '{ rateLimit { cost limit remaining used resetAt nodeCount } viewer { repositories(first: 10) { nodes { id } } } }';
    expect(await query(ask)).toMatchObject({
      rateLimit: { cost: 1, limit: 5000, used: 1, remaining: 4999, resetAt: '2026-01-05T10:00:00Z', nodeCount: 10 },
    });
  });
});
