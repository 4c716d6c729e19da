import { describe, expect, test } from '@jest/globals';
import { graphql } from '@octokit/graphql';
import { Octokit } from '@octokit/rest';
import { parseSeed, SeedError } from '../../src/seed/parse-seed.js';
import { plantSeed } from '../../src/seed/plant-seed.js';
import { SAMPLE_SEED } from '../../src/seed/sample.js';
import { openPocket } from '../support/test-pocket.js';

function problemsOf(text: string): readonly string[] {
  try {
    parseSeed(text, 'world.yml');
  } catch (error) {
    if (error instanceof SeedError) return error.problems;
    throw error;
  }
  return [];
}

describe('a seed', () => {
  test('reports everything that is wrong with it at once', () => {
    const problems = problemsOf(
      'users: [{ login: ada, colour: red }]\nrepositories: [{ name: sandbox, private: maybe }]\n',
    );
    expect(problems).toHaveLength(3);
    expect(problems.join('\n')).toMatch(
      /users\.0: .*colour[^]*repositories\.0\.name: .*owner\/name[^]*repositories\.0\.private/,
    );
  });

  test('names people, repositories and issues that nobody introduced', () => {
    const problems = problemsOf(`users: [{ login: ada }]
apps: [{ slug: bot, owner: bob, permissions: {}, installed: [{ account: ada, repositories: [ada/lost] }] }]
repositories: [{ name: ada/here, collaborators: { eve: write }, issues: [{ title: One, author: zed, blocked_by: [7] }] }]
`);
    expect(problems).toEqual([
      'apps.bot.owner: there is no user bob',
      'apps.bot.installed: there is no repository ada/lost',
      'repositories.ada/here.collaborators: there is no user eve',
      'repositories.ada/here.issues[0]: there is no user zed',
      'repositories.ada/here.issues[0]: there is no issue 7',
    ]);
  });

  test('makes forks of what it has, and names those of what it has not', async () => {
    const users = 'users: [{ login: eve }, { login: bob }]';
    expect(problemsOf(`${users}\nforks: [{ name: zed/x, of: eve/lost }]\n`)).toEqual([
      'forks.zed/x: there is no user zed',
      'forks.zed/x.of: there is no repository eve/lost',
    ]);
    const text = `${users}\nrepositories: [{ name: eve/x }]\nforks: [{ name: bob/mine, of: eve/x }]\n`;
    const p = await openPocket();
    const planted = await plantSeed(p.pocket.world, parseSeed(text, 'world.yml'), null);
    expect(planted.repositories).toEqual(['eve/x', 'bob/mine']);
    const { data } = await p.rest('anonymous').rest.repos.get({ owner: 'bob', repo: 'mine' });
    expect(data).toMatchObject({ fork: true, parent: { full_name: 'eve/x' } });
    await p.close();
  });

  test('gives no name twice, whatever its case', () => {
    const problems = problemsOf(`users: [{ login: ada }, { login: Ada }]
apps: [{ slug: bot, owner: ada, permissions: {} }, { slug: bot, owner: ada, permissions: {} }]
repositories: [{ name: ada/x }, { name: ADA/X }]
`);
    expect(problems).toEqual([
      'users: Ada is there twice',
      'apps: bot is there twice',
      'repositories: ADA/X is there twice',
    ]);
  });

  test.each([
    ['a repository called ..', 'repositories: [{ name: ada/.. }]', 'repositories.0.name: owner/name'],
    ['a repository called x.git', 'repositories: [{ name: ada/x.git }]', 'repositories.0.name: owner/name'],
    [
      'a branch git does not take',
      'repositories: [{ name: ada/x, default_branch: ../x }]',
      'repositories.0.default_branch: not a name for a branch',
    ],
    [
      'a webhook that leaves the machine',
      'apps: [{ slug: a, owner: ada, permissions: {}, webhook: { url: "http://hooks.example/" } }]',
      'apps.0.webhook.url: not a loopback address',
    ],
  ])('has no place for %s', (_, text, problem) => {
    expect(problemsOf(`users: [{ login: ada }]\n${text}\n`)).toEqual([problem]);
  });

  test('gives people tokens that reach their projects', async () => {
    const p = await openPocket();
    const text = 'users: [{ login: grace }]\nprojects: [{ owner: grace, title: Board, fields: { Size: [S, L] } }]\n';
    const { tokens } = await plantSeed(p.pocket.world, parseSeed(text, 'world.yml'), null);
    const grace = graphql.defaults({
      baseUrl: p.pocket.urls.api,
      headers: { authorization: `token ${tokens['grace']}` },
    });
    expect(await grace('{ viewer { projectsV2(first: 1) { nodes { title } } } }')).toEqual({
      viewer: { projectsV2: { nodes: [{ title: 'Board' }] } },
    });
    await p.close();
  });

  test('makes a repository without files empty, ready for its first push', async () => {
    const p = await openPocket();
    const seed = parseSeed('users: [{ login: grace }]\nrepositories: [{ name: grace/new, files: {} }]\n', 'world.yml');
    const { tokens } = await plantSeed(p.pocket.world, seed, null);
    const { rest } = new Octokit({ baseUrl: p.pocket.urls.api, auth: tokens['grace'] });
    const at = { owner: 'grace', repo: 'new' };
    expect((await rest.repos.listBranches(at)).data).toEqual([]);
    const first = { path: 'a.txt', message: 'First', content: 'eA==' };
    expect((await rest.repos.createOrUpdateFileContents({ ...at, ...first })).data.commit.parents).toEqual([]);
    await p.close();
  });

  test('that is not YAML is refused with the place', () => {
    expect(problemsOf('users: [')[0]).toMatch(/line 1/);
  });

  test('becomes a world clients can use', async () => {
    const p = await openPocket();
    const seed = parseSeed(
      `users: [{ login: grace }, { login: acme, type: Organization }]
repositories:
  - name: acme/mill
    private: true
    default_branch: trunk
    files: { "a/b.txt": "hello\\n" }
    collaborators: { grace: maintain }
    protection: [{ branch: trunk, required_checks: [test], required_approvals: 1 }]
    issues:
      - { title: Whole, sub_issues: [2] }
      - { title: Part, labels: [bug], blocked_by: [3], comments: [{ author: grace, body: Hm }] }
      - { title: First, state: closed }
projects: [{ owner: acme, title: Board, repositories: [acme/mill], fields: { Size: [S, M] } }]
`,
      'world.yml',
    );
    const planted = await plantSeed(p.pocket.world, seed, null);
    const octokit = new Octokit({ baseUrl: p.pocket.urls.api, auth: planted.tokens['grace'] });
    const at = { owner: 'acme', repo: 'mill' };
    expect((await octokit.rest.repos.get(at)).data).toMatchObject({ private: true, default_branch: 'trunk' });
    expect((await octokit.rest.issues.get({ ...at, issue_number: 3 })).data.state).toBe('closed');
    const { data: part } = await octokit.rest.issues.get({ ...at, issue_number: 2 });
    expect(part).toMatchObject({ comments: 1, labels: [{ name: 'bug' }] });
    const { data: children } = await octokit.rest.issues.listSubIssues({ ...at, issue_number: 1 });
    expect(children.map((issue) => issue.number)).toEqual([2]);
    const { data: blockers } = await octokit.rest.issues.listDependenciesBlockedBy({ ...at, issue_number: 2 });
    expect(blockers.map((issue) => issue.number)).toEqual([3]);
    await expect(p.rest('mallory').rest.repos.get(at)).rejects.toMatchObject({ status: 404 });
    await p.close();
  });

  test('the sample is a usable one', () => {
    expect(parseSeed(SAMPLE_SEED, 'the sample').repositories).toHaveLength(1);
  });
});
