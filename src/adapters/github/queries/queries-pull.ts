/* Fragments about branches and pull requests, used in queries.ts. */

export const BRANCHES = /* GraphQL */ `
  fragment BranchRules on Ref {
    refUpdateRule { requiredApprovingReviewCount requiredStatusCheckContexts requiresSignatures viewerCanPush }
    rules(first: 100) {
      nodes {
        type
        parameters {
          ... on RequiredStatusChecksParameters { requiredStatusChecks { context integrationId } }
        }
      }
    }
  }
  fragment BaseBranch on Ref {
    name
    target { oid ... on Commit { statusCheckRollup { state } } }
    compare(headRef: $landed) @include(if: $hasLanded) { status }
    ...BranchRules
  }
`;

/** Reviews of a pull request: the opinion of everybody who may push, the text of the latest requests for changes, and who reopened it. */
export const REVIEWS = /* GraphQL */ `
  fragment ReviewFacts on PullRequest {
    reviewDecision
    opinions: latestOpinionatedReviews(first: 100, writersOnly: true) {
      nodes { id state body submittedAt authorCanPushToRepository author { ...ActorFacts } commit { oid } }
    }
    objections: reviews(last: 10, states: [CHANGES_REQUESTED]) {
      nodes { id comments(first: 20) { nodes { path line originalLine body } } }
    }
    reopenings: timelineItems(last: 1, itemTypes: [REOPENED_EVENT]) {
      nodes { ... on ReopenedEvent { actor { ...ActorFacts } } }
    }
    reviewRequests(first: 10) {
      nodes { requestedReviewer { ... on User { login } ... on Team { combinedSlug } } }
    }
  }
`;

/** Tells our pull requests from others: forks can have a branch of the same name, and people can open one from our branch. */
export const PULL_ORIGIN = /* GraphQL */ `
  fragment PullOrigin on PullRequest {
    id
    number
    isCrossRepository
    headRefName
    headRepository { id }
    author { ...ActorFacts }
  }
`;

export const PULL = /* GraphQL */ `
  ${PULL_ORIGIN}
  fragment PullRequestFacts on PullRequest {
    ...PullOrigin
    state
    isDraft
    createdAt
    closedAt
    mergedAt
    mergeable
    mergeStateStatus
    headRefOid
    baseRefName
    mergeCommit { oid }
  }
`;

/** Checks, and which of them base requires. With many jobs this costs more than everything else together. */
export const CHECKS = /* GraphQL */ `
  fragment CheckFacts on PullRequest {
    baseRef { ...BranchRules }
    statusCheckRollup {
      state
      contexts(first: $checks) {
        pageInfo { hasNextPage }
        nodes {
          type: __typename
          ... on CheckRun { name status conclusion title summary checkSuite { app { databaseId } } }
          ... on StatusContext { context state description }
        }
      }
    }
  }
`;
