import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { graphql } from '@octokit/graphql';
import { seedRepository } from '../../src/seed/seed-repository.js';
import { askGraphql } from '../support/ask-graphql.js';
import { openPocket, type TestPocket } from '../support/test-pocket.js';
import { refusalOf } from '../support/api-refusals.js';

let p: TestPocket;
let wren: typeof graphql;

beforeAll(async () => {
  p = await openPocket();
  wren = await p.graphql('wren');
});

afterAll(() => p.close({ unmodelledIsFine: true }));

const ofIssue = (number: number) => ({ ...p.at, issue_number: number });

async function open(title: string, body = '') {
  return (await p.rest('wren').rest.issues.create({ ...p.at, title, body })).data;
}

interface Timeline {
  readonly node: {
    readonly timelineItems: { readonly nodes: readonly Record<string, unknown>[] } & Record<string, unknown>;
  };
}

/** The items of an issue, each with `__typename` and what `selection` asks for. */
async function items(id: string, selection = '', args = 'first: 50'): Promise<readonly Record<string, unknown>[]> {
  const query = `query ($id: ID!) { node(id: $id) { ... on Issue { timelineItems(${args}) { nodes { __typename ${selection} } } } } }`;
  const { node } = await wren<Timeline>(query, { id });
  return node.timelineItems.nodes;
}

const typesOf = async (id: string, args?: string) => (await items(id, '', args)).map((item) => item['__typename']);

/** An issue to which a bit of everything has happened, a second apart each. */
async function livedIssue() {
  const { rest } = p.rest('wren');
  const issue = await open('Lived');
  const at = ofIssue(issue.number);
  const { data: milestone } = await rest.issues.createMilestone({ ...p.at, title: `v${issue.number}` });
  const steps = [
    () => rest.issues.addLabels({ ...at, labels: ['bug'] }),
    () => rest.issues.addAssignees({ ...at, assignees: ['wren'] }),
    () => rest.issues.update({ ...at, milestone: milestone.number }),
    () => rest.issues.update({ ...at, title: 'Lived on' }),
    () => rest.issues.createComment({ ...at, body: 'A word' }),
    () => rest.issues.update({ ...at, state: 'closed', state_reason: 'not_planned' }),
    () => rest.issues.update({ ...at, state: 'open' }),
    () => rest.issues.lock({ ...at, lock_reason: 'too heated' }),
    () => rest.issues.unlock(at),
    () => rest.issues.removeAssignees({ ...at, assignees: ['wren'] }),
    () => rest.issues.removeLabel({ ...at, name: 'bug' }),
    () => rest.issues.update({ ...at, milestone: null }),
  ];
  for (const step of steps) {
    p.clock.advance(1000);
    await step();
  }
  return { issue, milestone };
}

describe('the timeline of an issue', () => {
  test('has an item for what happened, with who, when and what', async () => {
    const { issue, milestone } = await livedIssue();
    const selection = `
      ... on Node { id }
      ... on LabeledEvent { actor { login } createdAt label { name } labelable { __typename } }
      ... on UnlabeledEvent { label { name color } }
      ... on AssignedEvent { assignee { ... on User { login } } user { login } assignable { __typename } }
      ... on MilestonedEvent { milestoneTitle subject { ... on Issue { number } } }
      ... on RenamedTitleEvent { previousTitle currentTitle subject { ... on Issue { title } } }
      ... on IssueComment { body author { login } }
      ... on ClosedEvent { stateReason closer { __typename } closable { closed } url resourcePath }
      ... on ReopenedEvent { stateReason }
      ... on LockedEvent { lockReason lockable { locked } }
    `;
    const found = await items(issue.node_id, selection);
    expect(found).toMatchObject([
      {
        __typename: 'LabeledEvent',
        actor: { login: 'wren' },
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        label: { name: 'bug' },
        labelable: { __typename: 'Issue' },
      },
      {
        __typename: 'AssignedEvent',
        assignee: { login: 'wren' },
        user: { login: 'wren' },
        assignable: { __typename: 'Issue' },
      },
      { __typename: 'MilestonedEvent', milestoneTitle: milestone.title, subject: { number: issue.number } },
      {
        __typename: 'RenamedTitleEvent',
        previousTitle: 'Lived',
        currentTitle: 'Lived on',
        subject: { title: 'Lived on' },
      },
      { __typename: 'IssueComment', body: 'A word', author: { login: 'wren' } },
      {
        __typename: 'ClosedEvent',
        stateReason: 'NOT_PLANNED',
        closer: null,
        closable: { closed: false },
        url: expect.stringMatching(new RegExp(`^${issue.html_url}#event-\\d+$`)),
        resourcePath: expect.stringMatching(new RegExp(`^/ada/sandbox/issues/${issue.number}#event-\\d+$`)),
      },
      { __typename: 'ReopenedEvent', stateReason: 'REOPENED' },
      { __typename: 'LockedEvent', lockReason: 'TOO_HEATED', lockable: { locked: false } },
      { __typename: 'UnlockedEvent' },
      { __typename: 'UnassignedEvent' },
      { __typename: 'UnlabeledEvent', label: { name: 'bug' } },
      { __typename: 'DemilestonedEvent' },
    ]);
    expect(new Set(found.map((item) => item['id'])).size).toBe(found.length);
  });

  test('is filtered by type and time, skipped and counted', async () => {
    const { issue } = await livedIssue();
    expect(await typesOf(issue.node_id, 'first: 5, itemTypes: [CLOSED_EVENT, REOPENED_EVENT]')).toEqual([
      'ClosedEvent',
      'ReopenedEvent',
    ]);
    expect(await typesOf(issue.node_id, 'last: 2')).toEqual(['UnlabeledEvent', 'DemilestonedEvent']);
    expect(await typesOf(issue.node_id, 'first: 2, skip: 1')).toEqual(['AssignedEvent', 'MilestonedEvent']);
    const [closed] = await items(
      issue.node_id,
      '... on ClosedEvent { createdAt }',
      'first: 1, itemTypes: [CLOSED_EVENT]',
    );
    const since = String(closed?.['createdAt']);
    expect((await typesOf(issue.node_id, `first: 3, since: "${since}"`))[0]).toBe('ClosedEvent');
    const counts = 'totalCount filteredCount pageCount updatedAt pageInfo { endCursor hasNextPage }';
    const read = async (args: string) =>
      (
        await wren<Timeline>(
          `query ($id: ID!) { node(id: $id) { ... on Issue { timelineItems(${args}) { ${counts} } } } }`,
          { id: issue.node_id },
        )
      ).node.timelineItems;
    const first = await read('first: 4');
    const last = p.pocket.world.tables.events.by('subjectId', issue.id).at(-1);
    expect(first).toMatchObject({
      totalCount: 12,
      filteredCount: 12,
      pageCount: 4,
      updatedAt: isoSeconds(last?.at),
      pageInfo: { hasNextPage: true },
    });
    const { endCursor } = (first as unknown as { pageInfo: { endCursor: string } }).pageInfo;
    expect(await read(`first: 4, after: "${endCursor}"`)).toMatchObject({
      totalCount: 12,
      filteredCount: 8,
      pageCount: 4,
    });
  });

  test('keeps the name of a label that has been deleted since, and loses a deleted comment', async () => {
    const { rest } = p.rest('wren');
    const issue = await open('Forgetful');
    await rest.issues.addLabels({ ...ofIssue(issue.number), labels: ['fleeting'] });
    const { data: comment } = await rest.issues.createComment({ ...ofIssue(issue.number), body: 'Forget it' });
    await rest.issues.deleteLabel({ ...p.at, name: 'fleeting' });
    await rest.issues.deleteComment({ ...p.at, comment_id: comment.id });
    expect(await items(issue.node_id, '... on LabeledEvent { label { name } }')).toEqual([
      { __typename: 'LabeledEvent', label: { name: 'fleeting' } },
      { __typename: 'CommentDeletedEvent' },
    ]);
  });

  test('tells relations from both ends', async () => {
    const { rest } = p.rest('wren');
    const [parent, child] = [await open('Parent'), await open('Child')];
    await rest.issues.addSubIssue({ ...ofIssue(parent.number), sub_issue_id: child.id });
    await rest.issues.removeSubIssue({ ...ofIssue(parent.number), sub_issue_id: child.id });
    await rest.issues.addBlockedByDependency({ ...ofIssue(parent.number), issue_id: child.id });
    await rest.issues.removeDependencyBlockedBy({ ...ofIssue(parent.number), issue_id: child.id });
    const selection = `
      ... on SubIssueAddedEvent { subIssue { title } } ... on ParentIssueAddedEvent { parent { title } }
      ... on BlockedByAddedEvent { blockingIssue { title } } ... on BlockingAddedEvent { blockedIssue { title } }`;
    expect(await items(parent.node_id, selection)).toEqual([
      { __typename: 'SubIssueAddedEvent', subIssue: { title: 'Child' } },
      { __typename: 'SubIssueRemovedEvent' },
      { __typename: 'BlockedByAddedEvent', blockingIssue: { title: 'Child' } },
      { __typename: 'BlockedByRemovedEvent' },
    ]);
    expect(await items(child.node_id, selection)).toEqual([
      { __typename: 'ParentIssueAddedEvent', parent: { title: 'Parent' } },
      { __typename: 'ParentIssueRemovedEvent' },
      { __typename: 'BlockingAddedEvent', blockedIssue: { title: 'Parent' } },
      { __typename: 'BlockingRemovedEvent' },
    ]);
    const { data } = await rest.issues.listEvents(ofIssue(parent.number));
    expect(data).toMatchObject([
      {
        event: 'sub_issue_added',
        sub_issue: { number: child.number, title: 'Child', repository: { full_name: 'ada/sandbox' } },
      },
      { event: 'sub_issue_removed' },
      { event: 'blocked_by_added', blocked_by: { number: child.number } },
      { event: 'blocked_by_removed' },
    ]);
  });

  test('shows who mentions it', async () => {
    const target = await open('Mentioned');
    const source = await open('Mentions', `See #${target.number}`);
    const selection =
      '... on CrossReferencedEvent { isCrossRepository willCloseTarget referencedAt source { ... on Issue { number } } target { ... on Issue { number } } }';
    expect(await items(target.node_id, selection)).toEqual([
      {
        __typename: 'CrossReferencedEvent',
        isCrossRepository: false,
        willCloseTarget: false,
        referencedAt: source.created_at,
        source: { number: source.number },
        target: { number: target.number },
      },
    ]);
    const { data } = await p.rest('rita').rest.issues.listEventsForTimeline(ofIssue(target.number));
    expect(data).toMatchObject([
      {
        event: 'cross-referenced',
        actor: { login: 'wren' },
        source: { type: 'issue', issue: { number: source.number } },
      },
    ]);
  });

  test('goes along to another repository', async () => {
    const attic = await seedRepository(p.pocket.world, { owner: p.users.ada, name: 'attic' });
    const { data: issue } = await p.rest('ada').rest.issues.create({ ...p.at, title: 'Moving' });
    await p.rest('ada').rest.issues.createComment({ ...ofIssue(issue.number), body: 'Before' });
    const { data: there } = await p.rest('ada').rest.repos.get({ owner: 'ada', repo: attic.name });
    const ada = await p.graphql('ada');
    const { transferIssue } = await ada<{ transferIssue: { issue: { id: string } } }>(
      'mutation ($input: TransferIssueInput!) { transferIssue(input: $input) { issue { id } } }',
      { input: { issueId: issue.node_id, repositoryId: there.node_id } },
    );
    const selection = '... on TransferredEvent { fromRepository { name } issue { title } }';
    expect(await items(transferIssue.issue.id, selection)).toEqual([
      { __typename: 'IssueComment' },
      { __typename: 'TransferredEvent', fromRepository: { name: 'sandbox' }, issue: { title: 'Moving' } },
    ]);
  });

  test('does not pretend to know item types that are not modelled', async () => {
    const issue = await open('Asked for too much');
    const query =
      'query ($id: ID!) { node(id: $id) { ... on Issue { timelineItems(first: 1, itemTypes: [MENTIONED_EVENT]) { totalCount } } } }';
    expect((await askGraphql(wren, query, { id: issue.node_id })).errors).toMatchObject([
      { type: 'POCKET_UNMODELLED' },
    ]);
    expect(p.pocket.journal.unmodelled()).toEqual(['timelineItems(itemTypes: MENTIONED_EVENT)']);
  });
});

const isoSeconds = (at: number | undefined) => `${new Date(at ?? 0).toISOString().slice(0, 19)}Z`;

describe('over REST', () => {
  test('the timeline has comments among the events; the list of events has not, but says who assigned', async () => {
    const { issue, milestone } = await livedIssue();
    const { data: timeline } = await p.rest('rita').rest.issues.listEventsForTimeline(ofIssue(issue.number));
    expect(timeline.map((item) => item.event)).toEqual([
      'labeled',
      'assigned',
      'milestoned',
      'renamed',
      'commented',
      'closed',
      'reopened',
      'locked',
      'unlocked',
      'unassigned',
      'unlabeled',
      'demilestoned',
    ]);
    expect(timeline[4]).toMatchObject({
      event: 'commented',
      body: 'A word',
      user: { login: 'wren' },
      actor: { login: 'wren' },
      author_association: 'COLLABORATOR',
    });
    const { data: events } = await p.rest('rita').rest.issues.listEvents(ofIssue(issue.number));
    expect(events).toHaveLength(11);
    expect(events).toMatchObject([
      {
        event: 'labeled',
        label: { name: 'bug' },
        actor: { login: 'wren' },
        commit_id: null,
        performed_via_github_app: null,
      },
      { event: 'assigned', assignee: { login: 'wren' }, assigner: { login: 'wren' } },
      { event: 'milestoned', milestone: { title: milestone.title } },
      { event: 'renamed', rename: { from: 'Lived', to: 'Lived on' } },
      { event: 'closed', state_reason: 'not_planned' },
      { event: 'reopened' },
      { event: 'locked', lock_reason: 'too heated' },
      { event: 'unlocked' },
      { event: 'unassigned' },
      { event: 'unlabeled', label: { name: 'bug' } },
      { event: 'demilestoned' },
    ]);
    expect(timeline[1]).not.toHaveProperty('assigner');
  });

  test('the events of a repository come newest first, with their issue, one by one too', async () => {
    const issue = await open('Newest');
    await p.rest('app').rest.issues.addLabels({ ...ofIssue(issue.number), labels: ['newest'] });
    const { data } = await p.rest('rita').rest.issues.listEventsForRepo({ ...p.at, per_page: 2 });
    expect(data).toHaveLength(2);
    expect(data[0]).toMatchObject({
      event: 'labeled',
      label: { name: 'newest' },
      actor: { login: 'sluice-dev[bot]' },
      performed_via_github_app: { slug: 'sluice-dev' },
      issue: { number: issue.number },
    });
    const { data: one } = await p.rest('rita').rest.issues.getEvent({ ...p.at, event_id: Number(data[0]?.id) });
    expect(one).toMatchObject({ id: data[0]?.id, issue: { number: issue.number } });
    expect(await refusalOf(p.rest('rita').rest.issues.getEvent({ ...p.at, event_id: 1 }))).toMatchObject({
      status: 404,
    });
  });
});
