import { expect, test } from '@jest/globals';
import { openPocket } from '../support/test-pocket.js';

/* The same day with @octokit/graphql, the way Sluice itself will spend it: few requests, several mutations in each. */

const SNAPSHOT = /* GraphQL */ `
  fragment Facts on Issue {
    id number title state
    labels(first: 20) { nodes { name } }
    comments(last: 10) { nodes { id body author { login } viewerDidAuthor } }
    timelineItems(last: 20, itemTypes: [LABELED_EVENT, REOPENED_EVENT]) { nodes { __typename ... on LabeledEvent { label { name } actor { login } createdAt } } }
  }
`;

async function prepare() {
  const p = await openPocket();
  const ada = await p.graphql('ada');
  const bot = await p.graphql('app');
  const { repository } = await ada<{ repository: { id: string; issue: null } }>(
    'query ($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { id } }',
    p.at,
  );
  for (const name of ['phase/issue', 'phase/spec']) await p.rest('ada').rest.issues.createLabel({ ...p.at, name });
  const { createIssue } = await ada<{ createIssue: { issue: { id: string; number: number } } }>(
    'mutation ($id: ID!) { createIssue(input: { repositoryId: $id, title: "Grow" }) { issue { id number } } }',
    { id: repository.id },
  );
  const { repository: labels } = await ada<{ repository: { issuePhase: { id: string }; specPhase: { id: string } } }>(
    'query ($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { issuePhase: label(name: "phase/issue") { id } specPhase: label(name: "phase/spec") { id } } }',
    p.at,
  );
  return { p, ada, bot, repositoryId: repository.id, issue: createIssue.issue, labels };
}

test('several mutations run in order, and the last payload shows them all', async () => {
  const { p, bot, issue, labels } = await prepare();
  const answer = await bot<{ last: { subject: object } }>(
    `mutation ($issue: ID!, $add: [ID!]!) {
      first: addLabelsToLabelable(input: { labelableId: $issue, labelIds: $add }) { clientMutationId }
      last: addComment(input: { subjectId: $issue, body: "Working" }) { subject { ... on Issue { ...Facts } } }
    } ${SNAPSHOT}`,
    { issue: issue.id, add: [labels.issuePhase.id] },
  );
  expect(answer.last.subject).toMatchObject({
    labels: { nodes: [{ name: 'phase/issue' }] },
    comments: { nodes: [{ body: 'Working', author: { login: 'sluice-dev' }, viewerDidAuthor: true }] },
    timelineItems: {
      nodes: [{ __typename: 'LabeledEvent', label: { name: 'phase/issue' }, actor: { login: 'sluice-dev' } }],
    },
  });
  expect(p.pocket.journal.requests().at(-1)).toMatchObject({
    surface: 'graphql',
    fields: ['addLabelsToLabelable', 'addComment'],
    points: 1,
    applied: true,
  });
  await p.close();
});

test('a mutation that fails does not stop the ones after it, and the answer is 200 with errors', async () => {
  const { p, bot, issue } = await prepare();
  const failure = await bot(
    `mutation ($issue: ID!) {
      bad: addComment(input: { subjectId: "I_kwDOzzzzzzzz", body: "lost" }) { clientMutationId }
      good: addComment(input: { subjectId: $issue, body: "kept" }) { commentEdge { node { body } } }
    }`,
    { issue: issue.id },
  ).catch((error: unknown) => error as { errors: unknown; response: unknown });
  expect(failure).toMatchObject({
    errors: [{ type: 'NOT_FOUND', path: ['bad'], message: expect.stringContaining('Could not resolve to a node') }],
    response: { data: { bad: null, good: { commentEdge: { node: { body: 'kept' } } } } },
  });
  await p.close();
});

test('the rules of paging are GitHub’s', async () => {
  const { p, ada } = await prepare();
  const ask = (page: string) =>
    ada(
      `query ($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { issues${page} { nodes { number } } } }`,
      p.at,
    );
  await expect(ask('')).rejects.toMatchObject({ errors: [{ type: 'MISSING_PAGINATION_BOUNDARIES' }] });
  await expect(ask('(first: 101)')).rejects.toMatchObject({ errors: [{ type: 'EXCESSIVE_PAGINATION' }] });
  await expect(ask('(first: 1)')).resolves.toMatchObject({ repository: { issues: { nodes: [{ number: 1 }] } } });
  await p.close();
});

test('a parent, its children and what blocks them', async () => {
  const { p, ada, repositoryId, issue } = await prepare();
  const ids: string[] = [];
  for (const title of ['First', 'Second']) {
    const { createIssue } = await ada<{ createIssue: { issue: { id: string } } }>(
      'mutation ($id: ID!, $title: String!) { createIssue(input: { repositoryId: $id, title: $title }) { issue { id } } }',
      { id: repositoryId, title },
    );
    ids.push(createIssue.issue.id);
    await ada(
      'mutation ($parent: ID!, $child: ID!) { addSubIssue(input: { issueId: $parent, subIssueId: $child }) { issue { id } } }',
      { parent: issue.id, child: createIssue.issue.id },
    );
  }
  await ada(
    'mutation ($blocked: ID!, $blocking: ID!) { addBlockedBy(input: { issueId: $blocked, blockingIssueId: $blocking }) { issue { id } } }',
    { blocked: ids[1], blocking: ids[0] },
  );
  const tree = await ada(
    'query ($owner: String!, $repo: String!) { repository(owner: $owner, name: $repo) { issue(number: 1) { subIssuesSummary { total completed } subIssues(first: 10) { nodes { title parent { number } blockedBy(first: 5) { nodes { title } } issueDependenciesSummary { blockedBy } } } } } }',
    p.at,
  );
  expect(tree).toMatchObject({
    repository: {
      issue: {
        subIssuesSummary: { total: 2, completed: 0 },
        subIssues: {
          nodes: [
            {
              title: 'First',
              parent: { number: 1 },
              blockedBy: { nodes: [] },
              issueDependenciesSummary: { blockedBy: 0 },
            },
            {
              title: 'Second',
              parent: { number: 1 },
              blockedBy: { nodes: [{ title: 'First' }] },
              issueDependenciesSummary: { blockedBy: 1 },
            },
          ],
        },
      },
    },
  });
  const told = (await p.deliveries()).map(({ event, payload }) => `${event}.${payload.action}`);
  expect(told).toEqual(
    expect.arrayContaining([
      'sub_issues.sub_issue_added',
      'sub_issues.parent_issue_added',
      'issue_dependencies.blocked_by_added',
    ]),
  );
  await p.close();
});

test('what the caller may not do is FORBIDDEN', async () => {
  const { p, issue, labels } = await prepare();
  const rita = await p.graphql('rita');
  const attempt = rita(
    'mutation ($issue: ID!, $label: [ID!]!) { addLabelsToLabelable(input: { labelableId: $issue, labelIds: $label }) { clientMutationId } }',
    { issue: issue.id, label: [labels.specPhase.id] },
  );
  await expect(attempt).rejects.toMatchObject({ errors: [{ type: 'FORBIDDEN', path: ['addLabelsToLabelable'] }] });
  await p.close();
});
