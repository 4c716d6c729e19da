import { describe, expect, test } from '@jest/globals';
import { isoTime } from '../../src/world/time.js';
import { pushTo } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { Person, TestPocket } from '../support/test-pocket.js';
import { errorsOf, refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((opened) => {
  p = opened;
});

const now = (): string => isoTime(p.clock.now());

async function issue() {
  await p.rest('wren').rest.issues.create({ ...p.at, title: 'One' });
  return { ...p.at, issue_number: 1 };
}

async function comment(who: Person | 'app', body: string) {
  return (await p.rest(who).rest.issues.createComment({ ...p.at, issue_number: 1, body })).data;
}

async function pull() {
  await pushTo(p, 'topic', { files: { 'a.txt': 'a\n' } });
  await p.rest('wren').rest.pulls.create({ ...p.at, title: 'Add', head: 'topic', base: 'main' });
  return { ...p.at, issue_number: 1 };
}

async function ask<T>(who: Person, document: string, variables: Record<string, unknown> = {}): Promise<T> {
  return (await p.graphql(who))<T>(document, variables);
}

describe('commenting', () => {
  test('everybody can; the issue counts it and was updated by it', async () => {
    const at = await issue();
    p.clock.advance(60_000);
    const { status, data } = await p.rest('mallory').rest.issues.createComment({ ...at, body: 'Me too' });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      url: `${p.pocket.urls.api}/repos/ada/sandbox/issues/comments/${data.id}`,
      html_url: `${p.pocket.urls.html}/ada/sandbox/issues/1#issuecomment-${data.id}`,
      issue_url: `${p.pocket.urls.api}/repos/ada/sandbox/issues/1`,
      body: 'Me too',
      user: { login: 'mallory' },
      author_association: 'NONE',
      created_at: now(),
      updated_at: now(),
      performed_via_github_app: null,
      reactions: { total_count: 0 },
    });
    expect((await p.rest('rita').rest.issues.get(at)).data).toMatchObject({ comments: 1, updated_at: now() });
  });

  test.each([
    ['an empty one', '', { resource: 'IssueComment', code: 'missing_field', field: 'body' }],
    ['a blank one', ' \n', { resource: 'IssueComment', code: 'missing_field', field: 'body' }],
    [
      'one of 65,537 characters',
      'x'.repeat(65_537),
      {
        resource: 'IssueComment',
        code: 'unprocessable',
        field: 'data',
        message: 'Body is too long (maximum is 65536 characters)',
      },
    ],
  ])('%s is refused', async (_, body, error) => {
    await issue();
    expect(await refusalOf(comment('wren', body))).toEqual({
      status: 422,
      message: 'Validation Failed',
      errors: [error],
    });
  });

  test('in a locked conversation only people with write access speak, and no App', async () => {
    const at = await issue();
    await p.rest('wren').rest.issues.lock(at);
    const locked = { status: 403, message: 'Unable to create comment because issue is locked.' };
    expect(await refusalOf(comment('rita', 'Hm'))).toEqual(locked);
    expect(await refusalOf(comment('tess', 'Hm'))).toEqual(locked);
    expect(await refusalOf(comment('app', 'Hm'))).toEqual(locked);
    expect((await comment('wren', 'Enough.')).body).toBe('Enough.');
  });
});

describe('editing and deleting comments', () => {
  test('authors may change their own, people with write access everybody’s', async () => {
    await issue();
    const { id } = await comment('mallory', 'Me too');
    const at = { ...p.at, comment_id: id };
    expect((await p.rest('mallory').rest.issues.updateComment({ ...at, body: 'Me three' })).data.body).toBe('Me three');
    expect((await refusalOf(p.rest('rita').rest.issues.updateComment({ ...at, body: 'x' }))).status).toBe(403);
    expect((await refusalOf(p.rest('tess').rest.issues.deleteComment(at))).status).toBe(403);
    expect((await p.rest('wren').rest.issues.updateComment({ ...at, body: 'Nobody' })).data.user?.login).toBe(
      'mallory',
    );
    expect((await p.rest('mallory').rest.issues.deleteComment(at)).status).toBe(204);
    expect((await refusalOf(p.rest('wren').rest.issues.getComment(at))).status).toBe(404);
  });

  test('an edit moves the comment’s time and the issue’s', async () => {
    const at = await issue();
    const { id } = await comment('wren', 'Before');
    const written = now();
    p.clock.advance(60_000);
    const { data } = await p.rest('wren').rest.issues.updateComment({ ...p.at, comment_id: id, body: 'After' });
    expect(data).toMatchObject({ created_at: written, updated_at: now() });
    expect((await p.rest('wren').rest.issues.get(at)).data.updated_at).toBe(now());
  });

  test('the webhooks tell what was and what is', async () => {
    await issue();
    const { id } = await comment('wren', 'Before');
    await p.rest('wren').rest.issues.updateComment({ ...p.at, comment_id: id, body: 'Before' });
    await p.rest('wren').rest.issues.updateComment({ ...p.at, comment_id: id, body: 'After' });
    await p.rest('ada').rest.issues.deleteComment({ ...p.at, comment_id: id });
    const told = (await p.deliveries()).filter(({ event }) => event === 'issue_comment').map(({ payload }) => payload);
    expect(told).toMatchObject([
      {
        action: 'created',
        comment: { id, body: 'Before' },
        issue: { number: 1, comments: 1 },
        sender: { login: 'wren' },
      },
      { action: 'edited', comment: { id, body: 'After' }, changes: { body: { from: 'Before' } } },
      { action: 'deleted', comment: { id, body: 'After', user: { login: 'wren' } }, sender: { login: 'ada' } },
    ]);
    expect(told[0]?.['issue']).not.toHaveProperty('pull_request');
  });
});

describe('lists of comments', () => {
  test('of an issue: oldest first, from a time on', async () => {
    const at = await issue();
    await comment('wren', 'One');
    p.clock.advance(60_000);
    await comment('rita', 'Two');
    const bodies = async (query: { since?: string; per_page?: number }) =>
      (await p.rest('rita').rest.issues.listComments({ ...at, ...query })).data.map(({ body }) => body);
    expect(await bodies({})).toEqual(['One', 'Two']);
    expect(await bodies({ since: now() })).toEqual(['Two']);
    expect(await bodies({ per_page: 1 })).toEqual(['One']);
  });

  test('of a repository: ordered as asked', async () => {
    await issue();
    await p.rest('wren').rest.issues.create({ ...p.at, title: 'Two' });
    const first = await comment('wren', 'One');
    p.clock.advance(60_000);
    await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 2, body: 'Two' });
    p.clock.advance(60_000);
    await p.rest('wren').rest.issues.updateComment({ ...p.at, comment_id: first.id, body: 'One!' });
    const list = async (query: { sort?: 'created' | 'updated'; direction?: 'asc' | 'desc'; since?: string }) =>
      (await p.rest('rita').rest.issues.listCommentsForRepo({ ...p.at, ...query })).data.map(({ body }) => body);
    expect(await list({})).toEqual(['One!', 'Two']);
    expect(await list({ direction: 'desc' })).toEqual(['One!', 'Two']);
    expect(await list({ sort: 'created' })).toEqual(['Two', 'One!']);
    expect(await list({ sort: 'updated', direction: 'asc' })).toEqual(['Two', 'One!']);
    expect(await list({ since: now() })).toEqual(['One!']);
  });
});

describe('comments by GraphQL', () => {
  test('are added, changed, hidden and deleted', async () => {
    await issue();
    const { id: subjectId } = (
      await ask<{ repository: { issue: { id: string } } }>(
        'rita',
        '{ repository(owner: "ada", name: "sandbox") { issue(number: 1) { id } } }',
      )
    ).repository.issue;
    const added = await ask<{ addComment: { commentEdge: { node: { id: string } } } }>(
      'rita',
      `mutation($id: ID!) { addComment(input: { subjectId: $id, body: "**Hm** & <!-- no --> more" }) {
        subject { id } commentEdge { cursor node {
          id databaseId body bodyText author { login } authorAssociation viewerDidAuthor viewerCanUpdate viewerCanDelete
          viewerCanMinimize isMinimized minimizedReason lastEditedAt issue { number } pullRequest { number } resourcePath
          repository { nameWithOwner } createdAt updatedAt
        } }
      } }`,
      { id: subjectId },
    );
    const { node } = added.addComment.commentEdge;
    const [row] = p.pocket.world.tables.comments.all();
    expect(added.addComment).toMatchObject({
      subject: { id: subjectId },
      commentEdge: {
        node: {
          databaseId: row?.id,
          body: '**Hm** & <!-- no --> more',
          bodyText: expect.stringMatching(/^Hm & +more$/),
          author: { login: 'rita' },
          authorAssociation: 'COLLABORATOR',
          viewerDidAuthor: true,
          viewerCanUpdate: true,
          viewerCanDelete: true,
          isMinimized: false,
          minimizedReason: null,
          lastEditedAt: null,
          issue: { number: 1 },
          pullRequest: null,
          resourcePath: `/ada/sandbox/issues/1#issuecomment-${row?.id}`,
          repository: { nameWithOwner: 'ada/sandbox' },
        },
      },
    });
    const changed = await ask(
      'tess',
      `mutation($id: ID!) {
        hidden: minimizeComment(input: { subjectId: $id, classifier: OFF_TOPIC }) {
          minimizedComment { isMinimized minimizedReason }
        }
        shown: unminimizeComment(input: { subjectId: $id }) { unminimizedComment { isMinimized } }
      }`,
      { id: node.id },
    );
    expect(changed).toEqual({
      hidden: { minimizedComment: { isMinimized: true, minimizedReason: 'off-topic' } },
      shown: { unminimizedComment: { isMinimized: false } },
    });
    const update = `mutation($id: ID!) { updateIssueComment(input: { id: $id, body: "Oh" }) {
      issueComment { body lastEditedAt editor { login } userContentEdits(first: 5) { nodes { diff } } }
    } }`;
    expect(await errorsOf(ask('tess', update, { id: node.id }))).toEqual([expect.stringMatching(/^FORBIDDEN: /)]);
    expect(await ask('rita', update, { id: node.id })).toMatchObject({
      updateIssueComment: {
        issueComment: {
          body: 'Oh',
          lastEditedAt: now(),
          editor: { login: 'rita' },
          userContentEdits: { nodes: [{ diff: 'Oh' }, { diff: '**Hm** & <!-- no --> more' }] },
        },
      },
    });
    await ask('wren', 'mutation($id: ID!) { deleteIssueComment(input: { id: $id }) { clientMutationId } }', {
      id: node.id,
    });
    expect(p.pocket.world.tables.comments.all()).toEqual([]);
  });

  test('come from either end and by their last change', async () => {
    await issue();
    const { id } = await comment('wren', 'One');
    p.clock.advance(1000);
    await comment('wren', 'Two');
    p.clock.advance(1000);
    await p.rest('wren').rest.issues.updateComment({ ...p.at, comment_id: id, body: 'One!' });
    const bodies = async (args: string) => {
      const answer = await ask<{ repository: { issue: { comments: { nodes: { body: string }[] } } } }>(
        'rita',
        `{ repository(owner: "ada", name: "sandbox") { issue(number: 1) { comments(${args}) { nodes { body } } } } }`,
      );
      return answer.repository.issue.comments.nodes.map(({ body }) => body);
    };
    expect(await bodies('first: 1')).toEqual(['One!']);
    expect(await bodies('last: 1')).toEqual(['Two']);
    expect(await bodies('first: 5, orderBy: { field: UPDATED_AT, direction: ASC }')).toEqual(['Two', 'One!']);
  });
});

describe('comments on pull requests', () => {
  test('are issue comments whose issue says that it is a pull request', async () => {
    const at = await pull();
    await p.rest('rita').rest.issues.createComment({ ...at, body: 'Nice' });
    const told = (await p.deliveries()).find(({ event }) => event === 'issue_comment');
    expect(told?.payload).toMatchObject({
      action: 'created',
      issue: {
        number: 1,
        html_url: `${p.pocket.urls.html}/ada/sandbox/pull/1`,
        draft: false,
        pull_request: { url: `${p.pocket.urls.api}/repos/ada/sandbox/pulls/1`, merged_at: null },
      },
    });
    expect((await p.rest('rita').rest.issues.listComments(at)).data).toHaveLength(1);
  });

  test('an App needs the permission for pull requests or for issues there, for issues on an issue', async () => {
    const at = await pull();
    await p.rest('wren').rest.issues.create({ ...p.at, title: 'Issue' });
    const { data } = await p.rest('app-jwt').rest.apps.createInstallationAccessToken({
      installation_id: p.installation.id,
      permissions: { pull_requests: 'write' },
    });
    const say = (number: number) =>
      p.rest('anonymous').rest.issues.createComment({
        ...at,
        issue_number: number,
        body: 'Done',
        headers: { authorization: `token ${data.token}` },
      });
    expect((await say(1)).status).toBe(201);
    expect(await refusalOf(say(2))).toMatchObject({ status: 403, message: 'Resource not accessible by integration' });
  });
});
