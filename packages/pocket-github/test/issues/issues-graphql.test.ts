import { describe, expect, test } from '@jest/globals';
import { formatNodeId } from '../../src/world/tables.js';
import { isoTime } from '../../src/world/time.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { Person, TestPocket } from '../support/test-pocket.js';
import { errorsOf } from '../support/api-refusals.js';

let p: TestPocket;
freshPocketEachTest((opened) => {
  p = opened;
});

const now = (): string => isoTime(p.clock.now());

async function ask<T>(who: Person | 'app', document: string, variables: Record<string, unknown> = {}): Promise<T> {
  return (await p.graphql(who))<T>(document, variables);
}

async function open(who: Person, title: string, more: Record<string, unknown> = {}) {
  return (await p.rest(who).rest.issues.create({ ...p.at, title, ...more })).data;
}

const repository = (selection: string) => `query { repository(owner: "ada", name: "sandbox") { ${selection} } }`;

describe('reading an issue', () => {
  test('every field that a client of GitHub reads', async () => {
    const { node_id, id } = await open('wren', 'It breaks', { body: 'Badly.', labels: ['bug'], assignees: ['tess'] });
    const { repository: found } = await ask<{ repository: { issue: unknown } }>(
      'rita',
      repository(`issue(number: 1) {
        __typename id databaseId fullDatabaseId number title body state stateReason closed closedAt createdAt updatedAt
        publishedAt lastEditedAt includesCreatedEdit editor { login } author { login __typename } authorAssociation
        locked activeLockReason url resourcePath createdViaEmail viewerDidAuthor viewerCanUpdate viewerCanClose
        viewerCannotUpdateReasons viewerCanReact viewerCanDelete viewerCanLabel milestone { title } issueType { name }
        repository { nameWithOwner } labels(first: 5) { nodes { name } } assignees(first: 5) { nodes { login } }
        comments(first: 1) { totalCount } participants(first: 5) { nodes { login } }
      }`),
    );
    expect(found.issue).toEqual({
      __typename: 'Issue',
      id: node_id,
      databaseId: id,
      fullDatabaseId: String(id),
      number: 1,
      title: 'It breaks',
      body: 'Badly.',
      state: 'OPEN',
      stateReason: null,
      closed: false,
      closedAt: null,
      createdAt: now(),
      updatedAt: now(),
      publishedAt: now(),
      lastEditedAt: null,
      includesCreatedEdit: false,
      editor: null,
      author: { login: 'wren', __typename: 'User' },
      authorAssociation: 'COLLABORATOR',
      locked: false,
      activeLockReason: null,
      url: `${p.pocket.urls.html}/ada/sandbox/issues/1`,
      resourcePath: '/ada/sandbox/issues/1',
      createdViaEmail: false,
      viewerDidAuthor: false,
      viewerCanUpdate: false,
      viewerCanClose: false,
      viewerCannotUpdateReasons: ['INSUFFICIENT_ACCESS'],
      viewerCanReact: true,
      viewerCanDelete: false,
      viewerCanLabel: false,
      milestone: null,
      issueType: null,
      repository: { nameWithOwner: 'ada/sandbox' },
      labels: { nodes: [{ name: 'bug' }] },
      assignees: { nodes: [{ login: 'tess' }] },
      comments: { totalCount: 0 },
      participants: { nodes: [{ login: 'wren' }, { login: 'tess' }] },
    });
  });

  test('a number nobody has is NOT_FOUND and null', async () => {
    expect(await errorsOf(ask('rita', repository('issue(number: 9) { id }')))).toEqual([
      'NOT_FOUND: Could not resolve to an Issue with the number of 9.',
    ]);
  });
});

describe('the list of issues', () => {
  test('filters and orders', async () => {
    await open('wren', 'One', { labels: ['bug'], assignees: ['tess'] });
    p.clock.advance(60_000);
    const since = now();
    await open('rita', 'Two');
    await open('wren', 'Three', { labels: ['ui', 'bug'] });
    await p.rest('wren').rest.issues.update({ ...p.at, issue_number: 3, state: 'closed' });
    const titles = async (args: string) => {
      const { repository: found } = await ask<{ repository: { issues: { nodes: { title: string }[] } } }>(
        'rita',
        repository(`issues(first: 10, ${args}) { nodes { title } }`),
      );
      return found.issues.nodes.map(({ title }) => title);
    };
    expect(await titles('states: [OPEN, CLOSED]')).toEqual(['One', 'Two', 'Three']);
    expect(await titles('states: OPEN, orderBy: { field: CREATED_AT, direction: DESC }')).toEqual(['Two', 'One']);
    expect(await titles('labels: ["ui", "bug"]')).toEqual(['One', 'Three']);
    expect(await titles('filterBy: { labels: ["ui", "bug"] }')).toEqual(['Three']);
    expect(await titles('filterBy: { assignee: "tess" }')).toEqual(['One']);
    expect(await titles('filterBy: { assignee: null }')).toEqual(['Two', 'Three']);
    expect(await titles('filterBy: { createdBy: "rita" }')).toEqual(['Two']);
    expect(await titles(`filterBy: { since: "${since}", states: [OPEN] }`)).toEqual(['Two']);
  });
});

describe('mutations', () => {
  test('create, edit, close and reopen', async () => {
    const { issue } = await ask<{ issue: { issue: { id: string; number: number } } }>(
      'tess',
      `mutation($repositoryId: ID!) {
        issue: createIssue(input: { repositoryId: $repositoryId, title: "New", body: "Text" }) { issue { id number } }
      }`,
      { repositoryId: formatNodeId('repositories', p.repository.id) },
    );
    const { id } = issue.issue;
    const document = `mutation($id: ID!) {
      edited: updateIssue(input: { id: $id, title: "Newer", body: "More" }) { issue { title body lastEditedAt } actor { login } }
      closed: closeIssue(input: { issueId: $id, stateReason: NOT_PLANNED, clientMutationId: "7" }) {
        clientMutationId issue { state stateReason closed }
      }
      again: reopenIssue(input: { issueId: $id }) { issue { state stateReason } }
      duplicate: closeIssue(input: { issueId: $id, stateReason: DUPLICATE }) {
        issue { stateReason shown: stateReason(enableDuplicate: true) }
      }
    }`;
    expect(await ask('tess', document, { id })).toEqual({
      edited: { issue: { title: 'Newer', body: 'More', lastEditedAt: now() }, actor: { login: 'tess' } },
      closed: { clientMutationId: '7', issue: { state: 'CLOSED', stateReason: 'NOT_PLANNED', closed: true } },
      again: { issue: { state: 'OPEN', stateReason: 'REOPENED' } },
      duplicate: { issue: { stateReason: null, shown: 'DUPLICATE' } },
    });
  });

  test('labels, assignees and milestone are replaced by id', async () => {
    const { node_id: id } = await open('wren', 'One', { labels: ['old'], assignees: ['ada'] });
    const { data: label } = await p.rest('wren').rest.issues.createLabel({ ...p.at, name: 'new' });
    const { data: milestone } = await p.rest('wren').rest.issues.createMilestone({ ...p.at, title: 'v1' });
    const document = `mutation($id: ID!, $labels: [ID!], $assignees: [ID!], $milestone: ID) {
      updateIssue(input: { id: $id, labelIds: $labels, assigneeIds: $assignees, milestoneId: $milestone }) {
        issue { labels(first: 3) { nodes { name } } assignees(first: 3) { nodes { login } } milestone { title number } }
      }
    }`;
    const variables = {
      id,
      labels: [label.node_id],
      assignees: [formatNodeId('users', p.users.tess.id)],
      milestone: milestone.node_id,
    };
    expect(await ask('wren', document, variables)).toEqual({
      updateIssue: {
        issue: {
          labels: { nodes: [{ name: 'new' }] },
          assignees: { nodes: [{ login: 'tess' }] },
          milestone: { title: 'v1', number: 1 },
        },
      },
    });
  });

  test('a reader may not close what is not hers', async () => {
    const { node_id: id } = await open('wren', 'One');
    const document = 'mutation($id: ID!) { closeIssue(input: { issueId: $id }) { issue { state } } }';
    expect(await errorsOf(ask('rita', document, { id }))).toEqual([expect.stringMatching(/^FORBIDDEN: /)]);
    expect((await p.rest('rita').rest.issues.get({ ...p.at, issue_number: 1 })).data.state).toBe('open');
  });

  test('a body that is too long is UNPROCESSABLE', async () => {
    const { node_id: id } = await open('wren', 'One');
    const document =
      'mutation($id: ID!, $body: String!) { updateIssue(input: { id: $id, body: $body }) { issue { id } } }';
    expect(await errorsOf(ask('wren', document, { id, body: 'x'.repeat(65_537) }))).toEqual([
      'UNPROCESSABLE: body is too long (maximum is 65536 characters)',
    ]);
  });

  test('locking and unlocking', async () => {
    const { node_id: id } = await open('wren', 'One');
    const document = `mutation($id: ID!) {
      lockLockable(input: { lockableId: $id, lockReason: TOO_HEATED }) {
        actor { login } lockedRecord { locked activeLockReason ... on Issue { number } }
      }
      unlockLockable(input: { lockableId: $id }) { unlockedRecord { locked activeLockReason } }
    }`;
    expect(await ask('wren', document, { id })).toEqual({
      lockLockable: {
        actor: { login: 'wren' },
        lockedRecord: { locked: true, activeLockReason: 'TOO_HEATED', number: 1 },
      },
      unlockLockable: { unlockedRecord: { locked: false, activeLockReason: null } },
    });
  });

  test('assigning and unassigning', async () => {
    const { node_id: id } = await open('wren', 'One');
    const userId = formatNodeId('users', p.users.rita.id);
    const document = `mutation($id: ID!, $users: [ID!]!) {
      addAssigneesToAssignable(input: { assignableId: $id, assigneeIds: $users }) {
        assignable { assignees(first: 3) { nodes { login } } }
      }
      removeAssigneesFromAssignable(input: { assignableId: $id, assigneeIds: $users }) {
        assignable { assignees(first: 3) { totalCount } }
      }
    }`;
    expect(await ask('tess', document, { id, users: [userId] })).toEqual({
      addAssigneesToAssignable: { assignable: { assignees: { nodes: [{ login: 'rita' }] } } },
      removeAssigneesFromAssignable: { assignable: { assignees: { totalCount: 0 } } },
    });
  });
});

describe('edits', () => {
  test('the first edit also keeps the original; the newest comes first', async () => {
    const written = now();
    const { number } = await open('rita', 'One', { body: 'First' });
    const edit = async (who: Person, body: string) => {
      p.clock.advance(60_000);
      await p.rest(who).rest.issues.update({ ...p.at, issue_number: number, body });
      return now();
    };
    const second = await edit('rita', 'Second');
    const third = await edit('wren', 'Third');
    const { repository: found } = await ask<{ repository: { issue: unknown } }>(
      'rita',
      repository(`issue(number: 1) {
        lastEditedAt includesCreatedEdit editor { login }
        userContentEdits(first: 5) { totalCount nodes { diff editedAt editor { login } deletedAt } }
      }`),
    );
    expect(found.issue).toEqual({
      lastEditedAt: third,
      includesCreatedEdit: true,
      editor: { login: 'wren' },
      userContentEdits: {
        totalCount: 3,
        nodes: [
          { diff: 'Third', editedAt: third, editor: { login: 'wren' }, deletedAt: null },
          { diff: 'Second', editedAt: second, editor: { login: 'rita' }, deletedAt: null },
          { diff: 'First', editedAt: written, editor: { login: 'rita' }, deletedAt: null },
        ],
      },
    });
  });

  test('a new title is no edit of the text', async () => {
    await open('rita', 'One', { body: 'Same' });
    await p.rest('rita').rest.issues.update({ ...p.at, issue_number: 1, title: 'Two', body: 'Same' });
    const { repository: found } = await ask<{ repository: { issue: unknown } }>(
      'rita',
      repository('issue(number: 1) { title lastEditedAt userContentEdits(first: 1) { totalCount } }'),
    );
    expect(found.issue).toEqual({ title: 'Two', lastEditedAt: null, userContentEdits: { totalCount: 0 } });
  });
});
