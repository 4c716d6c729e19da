import { request as httpRequest } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { pushTo } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/test-pocket.js';
import { refusalOf } from '../support/api-refusals.js';

/* What GitHub demands of every API client, says with every answer, and counts. */

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

/** A request with these headers and no others. */
function bareGet(url: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    asked.on('error', reject);
    asked.end();
  });
}

describe('who asks', () => {
  test('must say what program it is', async () => {
    const url = `${p.pocket.urls.api}/zen`;
    expect(await bareGet(url, {})).toMatchObject({
      status: 403,
      body: expect.stringContaining('Please make sure your request has a User-Agent header') as unknown,
    });
    expect((await bareGet(url, { 'user-agent': 'me' })).status).toBe(200);
  });

  test('as an App with what is no JWT is told so; elsewhere its credentials are bad', async () => {
    const headers = { authorization: 'bearer something' };
    const nobody = p.rest('anonymous');
    expect(await refusalOf(nobody.request('GET /app', { headers }))).toEqual({
      status: 401,
      message: 'A JSON web token could not be decoded',
    });
    expect((await refusalOf(nobody.request('GET /user', { headers }))).message).toBe('Bad credentials');
  });
});

describe('GraphQL documents', () => {
  test('may ask for one name of two types in fragments that exclude each other', async () => {
    const graphql = await p.graphql('wren');
    const { data } = await p.rest('wren').rest.issues.create({ ...p.at, title: 'One' });
    const document = `query { repository(owner: "ada", name: "sandbox") { issueOrPullRequest(number: ${data.number}) {
      ... on Issue { state } ... on PullRequest { state }
    } } }`;
    expect(await graphql(document)).toEqual({ repository: { issueOrPullRequest: { state: 'OPEN' } } });
    await expect(graphql('{ repository(owner: "a", name: "b") { a: name a: url } }')).rejects.toThrow(
      /different fields/,
    );
  });
});

describe('what is counted', () => {
  test('searching has a budget of its own, per minute, and no ETag', async () => {
    const octokit = p.rest('wren');
    const search = () => octokit.rest.search.issuesAndPullRequests({ q: 'is:issue' });
    const { headers } = await search();
    expect(headers).toMatchObject({ 'x-ratelimit-resource': 'search', 'x-ratelimit-limit': '30' });
    expect(headers.etag).toBeUndefined();
    for (let more = 1; more < 30; more += 1) await search();
    expect((await refusalOf(search())).status).toBe(403);
    const { resources } = (await octokit.rest.rateLimit.get()).data;
    expect([resources.search.remaining, resources.core.remaining > 4000]).toEqual([0, true]);
    p.clock.advance(60_000);
    expect((await search()).status).toBe(200);
  });

  test('the journal knows each caller’s busiest minute and hour, as the secondary limits count', async () => {
    const after = p.pocket.journal.lastSeq();
    const wren = p.rest('wren');
    const graphql = await p.graphql('wren');
    const { data: issue } = await wren.rest.issues.create({ ...p.at, title: 'One' });
    await wren.rest.issues.get({ ...p.at, issue_number: issue.number });
    const add = (alias: string) =>
      `${alias}: addComment(input: { subjectId: "${issue.node_id}", body: "Hm" }) { clientMutationId }`;
    await graphql(`mutation { ${add('a')} ${add('b')} }`);
    await graphql('{ viewer { login } }');
    p.clock.advance(60_000);
    await wren.rest.issues.createComment({ ...p.at, issue_number: issue.number, body: 'Later' });
    await p.rest('ada').rest.issues.listForRepo(p.at);
    expect(p.pocket.journal.secondaryLoads(after)).toEqual([
      {
        actor: 'wren',
        contentPerMinute: 3,
        contentPerHour: 4,
        restPointsPerMinute: 6,
        graphqlPointsPerMinute: 6,
      },
      { actor: 'ada', contentPerMinute: 0, contentPerHour: 0, restPointsPerMinute: 1, graphqlPointsPerMinute: 0 },
    ]);
    const load = await fetch(`${p.pocket.urls.html}/_pocket/load`);
    expect(await load.json()).toContainEqual(expect.objectContaining({ actor: 'wren', contentPerMinute: 3 }));
  });
});

describe('answers', () => {
  test('say where a new thing is, when it changed, and which answer this is', async () => {
    const octokit = p.rest('wren');
    const made = await octokit.rest.issues.create({ ...p.at, title: 'One' });
    expect(made.headers).toMatchObject({
      location: made.data.url,
      etag: expect.stringMatching(/^W\/"/) as unknown,
      'cache-control': 'private, max-age=60, s-maxage=60',
    });
    const read = await octokit.rest.issues.get({ ...p.at, issue_number: made.data.number });
    expect(read.headers['last-modified']).toBe(new Date(read.data.updated_at).toUTCString());
    const ids = [made, read].map(({ headers }) => headers['x-github-request-id']);
    expect(ids).toEqual([expect.stringMatching(/^[0-9A-F:]+$/), expect.stringMatching(/^[0-9A-F:]+$/)]);
    expect(new Set(ids).size).toBe(2);
  });

  test('link to further pages by the repository’s id, so that they outlive a rename', async () => {
    const octokit = p.rest('ada');
    for (const title of ['One', 'Two', 'Three']) await octokit.rest.issues.create({ ...p.at, title });
    const { headers } = await octokit.rest.issues.listForRepo({ ...p.at, per_page: 1 });
    expect(headers.link).toContain(`/repositories/${p.repository.id}/issues?`);
    await octokit.rest.repos.update({ ...p.at, name: 'renamed' });
    const next = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1] ?? '';
    expect((await octokit.request(`GET ${next}`)).data).toMatchObject([{ title: 'Two' }]);
  });

  test('name who closed an issue only where it is asked for by itself', async () => {
    const octokit = p.rest('ada');
    const { data } = await octokit.rest.issues.create({ ...p.at, title: 'One' });
    await octokit.rest.issues.update({ ...p.at, issue_number: data.number, state: 'closed' });
    const [listed] = (await octokit.rest.issues.listForRepo({ ...p.at, state: 'closed' })).data;
    expect(listed).not.toHaveProperty('closed_by');
    const { data: single } = await octokit.rest.issues.get({ ...p.at, issue_number: data.number });
    expect(single.closed_by?.login).toBe('ada');
  });

  test('of the root tell where everything is', async () => {
    expect((await p.rest('anonymous').request('GET /')).data).toMatchObject({
      current_user_url: `${p.pocket.urls.api}/user`,
    });
  });
});

describe('what gh asks for', () => {
  test('parents, pins and mentions', async () => {
    const graphql = await p.graphql('wren');
    const octokit = p.rest('wren');
    await octokit.rest.issues.create({ ...p.at, title: 'For Rita', body: 'What do you think, @rita?' });
    await octokit.rest.issues.create({ ...p.at, title: 'Mail', body: 'to someone@rita.example or @rita-b' });
    const document = `{ repository(owner: "ada", name: "sandbox") {
      parent { name }
      issues(first: 9, filterBy: { mentioned: "rita" }) { nodes { title isPinned } }
    } }`;
    expect(await graphql(document)).toEqual({
      repository: { parent: null, issues: { nodes: [{ title: 'For Rita', isPinned: false }] } },
    });
  });

  test('assigning with an edit, and searching for who is asked to review', async () => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const { data: pull } = await p
      .rest('wren')
      .rest.pulls.create({ ...p.at, title: 'Add', head: 'topic', base: 'main' });
    const graphql = await p.graphql('wren');
    const { user } = await graphql<{ user: { id: string } }>('{ user(login: "tess") { id } }');
    const document = `mutation { updatePullRequest(input: { pullRequestId: "${pull.node_id}", assigneeIds: ["${user.id}"] }) {
      pullRequest { assignees(first: 2) { nodes { login } } }
    } }`;
    expect(await graphql(document)).toEqual({
      updatePullRequest: { pullRequest: { assignees: { nodes: [{ login: 'tess' }] } } },
    });
    await p.rest('wren').rest.pulls.requestReviewers({ ...p.at, pull_number: pull.number, reviewers: ['tess'] });
    p.clock.advance(60_000);
    const find = async (q: string) =>
      (await p.rest('tess').rest.search.issuesAndPullRequests({ q: `repo:ada/sandbox is:pr ${q}` })).data.total_count;
    expect([
      await find('review-requested:@me'),
      await find('review-requested:rita'),
      await find('archived:true'),
    ]).toEqual([1, 0, 0]);
  });

  test('a base branch that is not there is named', async () => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const octokit = p.rest('wren');
    const { data } = await octokit.rest.pulls.create({ ...p.at, title: 'Add', head: 'topic', base: 'main' });
    const moved = octokit.rest.pulls.update({ ...p.at, pull_number: data.number, base: 'nowhere' });
    expect((await refusalOf(moved)).errors).toMatchObject([
      { message: "Proposed base branch 'nowhere' was not found" },
    ]);
  });
});
