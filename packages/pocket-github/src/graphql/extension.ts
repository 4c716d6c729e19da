/**
 * Fields that may be null on github.com (schema of August 2026) and may not in the published package. A client that trusts the package
 * breaks there.
 */
export const NULLABLE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  Issue: ['projectItems'],
  PullRequest: ['projectItems'],
};

/**
 * What github.com's schema has and the published package (15.26.1) lacks: issue dependencies with their timeline events, and issue types.
 * Written from GitHub's documentation; docs/fidelity.md lists it as not checked against the live schema.
 */
export const SCHEMA_EXTENSION = /* GraphQL */ `
  enum IssueDependencyOrderField { CREATED_AT DEPENDENCY_ADDED_AT }
  input IssueDependencyOrder { direction: OrderDirection! field: IssueDependencyOrderField! }
  type IssueDependenciesSummary { blockedBy: Int! blocking: Int! totalBlockedBy: Int! totalBlocking: Int! }
  enum IssueTypeColor { BLUE GRAY GREEN ORANGE PINK PURPLE RED YELLOW }
  type IssueType implements Node {
    id: ID!
    name: String!
    description: String
    color: IssueTypeColor!
    isEnabled: Boolean!
    isPrivate: Boolean!
  }
  type IssueTypeConnection { edges: [IssueTypeEdge] nodes: [IssueType] pageInfo: PageInfo! totalCount: Int! }
  type IssueTypeEdge { cursor: String! node: IssueType }
  input AddBlockedByInput { blockingIssueId: ID! clientMutationId: String issueId: ID! }
  type AddBlockedByPayload { blockingIssue: Issue clientMutationId: String issue: Issue }
  input RemoveBlockedByInput { blockingIssueId: ID! clientMutationId: String issueId: ID! }
  type RemoveBlockedByPayload { blockingIssue: Issue clientMutationId: String issue: Issue }
  input UpdateIssueIssueTypeInput { clientMutationId: String issueId: ID! issueTypeId: ID }
  type UpdateIssueIssueTypePayload { clientMutationId: String issue: Issue }

  type BlockedByAddedEvent implements Node { actor: Actor blockingIssue: Issue createdAt: DateTime! id: ID! }
  type BlockedByRemovedEvent implements Node { actor: Actor blockingIssue: Issue createdAt: DateTime! id: ID! }
  type BlockingAddedEvent implements Node { actor: Actor blockedIssue: Issue createdAt: DateTime! id: ID! }
  type BlockingRemovedEvent implements Node { actor: Actor blockedIssue: Issue createdAt: DateTime! id: ID! }
  extend union IssueTimelineItems = BlockedByAddedEvent | BlockedByRemovedEvent | BlockingAddedEvent | BlockingRemovedEvent
  extend enum IssueTimelineItemsItemType {
    BLOCKED_BY_ADDED_EVENT
    BLOCKED_BY_REMOVED_EVENT
    BLOCKING_ADDED_EVENT
    BLOCKING_REMOVED_EVENT
  }

  extend type Issue {
    blockedBy(
      after: String, before: String, first: Int, last: Int
      orderBy: IssueDependencyOrder = { field: DEPENDENCY_ADDED_AT, direction: DESC }
    ): IssueConnection!
    blocking(
      after: String, before: String, first: Int, last: Int
      orderBy: IssueDependencyOrder = { field: DEPENDENCY_ADDED_AT, direction: DESC }
    ): IssueConnection!
    issueDependenciesSummary: IssueDependenciesSummary!
    issueType: IssueType
  }
  extend type Repository {
    issueTypes(after: String, before: String, first: Int, last: Int): IssueTypeConnection
  }
  extend type Mutation {
    addBlockedBy(input: AddBlockedByInput!): AddBlockedByPayload
    removeBlockedBy(input: RemoveBlockedByInput!): RemoveBlockedByPayload
    updateIssueIssueType(input: UpdateIssueIssueTypeInput!): UpdateIssueIssueTypePayload
  }
`;
