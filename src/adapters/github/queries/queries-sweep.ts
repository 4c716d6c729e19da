import { runLabel } from '../../../domain/issue/label.js';
import { ACTOR } from './queries.js';

/*
 * Queries of the sweep. GitHub counts a point for about a hundred connections, so no connection is nested in another: fifty repositories
 * cost one point a minute.
 */

/** Alias of a repository, and suffix of its variables. */
export const repoAlias = (index: number): string => `repo${index}`;

/** The label of a driven issue. */
const RUNNING = JSON.stringify(runLabel('running'));

const CHANGED_ITEMS = /* GraphQL */ `
  fragment ChangedItems on IssueConnection {
    pageInfo { hasNextPage endCursor }
    nodes { id number updatedAt }
  }
`;

/** Driven and changed issues of several repositories. Oldest change first, so that new changes are appended and not missed. */
export function sweepRepositoriesDocument(count: number): string {
  const indices = Array.from({ length: count }, (_, index) => index);
  const variables = indices.map(
    (i) =>
      `$owner${i}: String!, $name${i}: String!, $since${i}: DateTime!, $changed${i}: Boolean!, $changedAfter${i}: String, ` +
      `$driven${i}: Boolean!, $drivenAfter${i}: String, $pulls${i}: Boolean!, $pullsAfter${i}: String`,
  );
  const fields = indices.map(
    (i) => `${repoAlias(i)}: repository(owner: $owner${i}, name: $name${i}) {
      changed: issues(first: 100, after: $changedAfter${i}, filterBy: { since: $since${i} }, orderBy: { field: UPDATED_AT, direction: ASC }) @include(if: $changed${i}) { ...ChangedItems }
      driven: issues(first: 100, after: $drivenAfter${i}, labels: [${RUNNING}]) @include(if: $driven${i}) { ...ChangedItems }
      pulls: pullRequests(first: 50, after: $pullsAfter${i}, orderBy: { field: UPDATED_AT, direction: DESC }) @include(if: $pulls${i}) {
        pageInfo { hasNextPage endCursor }
        nodes { id headRefName isCrossRepository updatedAt }
      }
    }`,
  );
  return `query SweepRepositories(${variables.join(', ')}) {\n  ${fields.join('\n  ')}\n}\n${CHANGED_ITEMS}`;
}

const COMMENTS = /* GraphQL */ `
  fragment SweepComments on IssueCommentConnection {
    pageInfo { hasPreviousPage startCursor }
    nodes {
      id
      body
      createdAt
      lastEditedAt
      author { ...ActorFacts }
      reactionGroups { content viewerHasReacted }
    }
  }
`;

/** Comments and labels of issues and pull requests. */
export const SWEEP_THREADS = /* GraphQL */ `
  query SweepThreads($ids: [ID!]!, $since: DateTime!) {
    nodes(ids: $ids) {
      type: __typename
      ... on Issue {
        id
        number
        repository { name owner { login } }
        labels(first: 100) { nodes { name } }
        comments(last: 100) { ...SweepComments }
        timelineItems(last: 100, since: $since, itemTypes: [LABELED_EVENT, UNLABELED_EVENT, CLOSED_EVENT, REOPENED_EVENT]) {
          nodes {
            type: __typename
            ... on LabeledEvent { id createdAt actor { ...ActorFacts } label { name } }
            ... on UnlabeledEvent { id createdAt actor { ...ActorFacts } label { name } }
            ... on ClosedEvent { id createdAt actor { ...ActorFacts } }
            ... on ReopenedEvent { id createdAt actor { ...ActorFacts } }
          }
        }
      }
      ... on PullRequest {
        id
        number
        repository { name owner { login } }
        comments(last: 100) { ...SweepComments }
      }
    }
  }
  ${COMMENTS}
  ${ACTOR}
`;

/** Comments older than those sent with the thread. */
export const SWEEP_COMMENTS = /* GraphQL */ `
  query SweepComments($id: ID!, $before: String!) {
    node(id: $id) {
      ... on Issue { comments(last: 100, before: $before) { ...SweepComments } }
      ... on PullRequest { comments(last: 100, before: $before) { ...SweepComments } }
    }
  }
  ${COMMENTS}
  ${ACTOR}
`;
