import { LABELS } from '../../../domain/issue/label.js';
import { BRANCHES, CHECKS, PULL, PULL_ORIGIN, REVIEWS } from './queries-pull.js';

/*
 * Every GraphQL document the service sends. Whatever differs between requests is in variables. Documents are built only from the names
 * below, never from anybody's text.
 */

/** Alias of a label of ours within `repository`. */
export const labelAlias = (index: number): string => `label${index}`;

/** `label(name:)` costs nothing. A connection of labels would cost a request per hundred, and may not contain ours. */
const LABEL_IDS = LABELS.map(({ name }, index) => `${labelAlias(index)}: label(name: ${JSON.stringify(name)}) { id }`);

/** Identity of a user or bot. */
export const ACTOR = /* GraphQL */ `
  fragment ActorFacts on Actor {
    type: __typename
    login
    ... on User { databaseId }
    ... on Bot { databaseId }
    ... on Organization { databaseId }
    ... on Mannequin { databaseId }
  }
`;

const COMMENT = /* GraphQL */ `
  fragment CommentFacts on IssueComment {
    id
    fullDatabaseId
    body
    createdAt
    lastEditedAt
    author { ...ActorFacts }
  }
`;

/** All facts about an issue. A fragment on `Issue`, so that a mutation's payload can return it. */
const ISSUE = /* GraphQL */ `
  fragment IssueFacts on Issue {
    id
    title
    body
    author { ...ActorFacts }
    editor { ...ActorFacts }
    lastEditedAt
    state
    updatedAt
    labels(first: 100) { nodes { id name } }
    labelings: timelineItems(last: 30, itemTypes: [LABELED_EVENT, UNLABELED_EVENT]) {
      nodes {
        type: __typename
        ... on LabeledEvent { id createdAt actor { ...ActorFacts } label { name } }
        ... on UnlabeledEvent { id createdAt actor { ...ActorFacts } label { name } }
      }
    }
    closings: timelineItems(last: 10, itemTypes: [CLOSED_EVENT, REOPENED_EVENT, RENAMED_TITLE_EVENT]) {
      nodes {
        type: __typename
        ... on ClosedEvent { id createdAt actor { ...ActorFacts } }
        ... on ReopenedEvent { id createdAt actor { ...ActorFacts } }
        ... on RenamedTitleEvent { id createdAt actor { ...ActorFacts } }
      }
    }
    comments(last: $comments) {
      pageInfo { hasPreviousPage startCursor }
      nodes { ...CommentFacts }
    }
    projectItems(first: 10, includeArchived: false) @include(if: $projects) {
      nodes {
        fieldValueByName(name: "Size") {
          ... on ProjectV2ItemFieldSingleSelectValue { name updatedAt }
          ... on ProjectV2ItemFieldTextValue { text updatedAt }
        }
      }
    }
    repository {
      id
      databaseId
      ${LABEL_IDS.join('\n      ')}
      defaultBranchRef { ...BaseBranch }
      base: ref(qualifiedName: $base) @include(if: $hasBase) { ...BaseBranch }
      state: object(expression: $stateRef) {
        oid
        ... on Commit {
          parents(first: 2) { nodes { oid } }
          file(path: "state.json") { object { ... on Blob { text isTruncated } } }
        }
      }
      work: ref(qualifiedName: $workRef) {
        target { oid }
        associatedPullRequests(last: $ownPulls) @skip(if: $hasPull) {
          nodes { ...PullRequestFacts ...CheckFacts ...ReviewFacts }
        }
      }
      recorded: pullRequest(number: $pull) @include(if: $hasPull) { ...PullRequestFacts ...CheckFacts ...ReviewFacts }
      squashMergeAllowed
      mergeCommitAllowed
      rebaseMergeAllowed
      openPulls: pullRequests(states: [OPEN], first: 100, orderBy: { field: CREATED_AT, direction: DESC }) {
        nodes { headRefName isCrossRepository }
      }
      workBranches: refs(refPrefix: "refs/heads/sluice/", first: 50) {
        nodes { associatedPullRequests(states: [OPEN], first: 1) { nodes { headRefName isCrossRepository } } }
      }
      pullRequests(headRefName: $workBranch, last: 5) @skip(if: $hasPull) {
        pageInfo { hasPreviousPage }
        nodes { ...PullRequestFacts ...CheckFacts @include(if: $allChecks) }
      }
    }
  }
`;

const FACTS = [ISSUE, COMMENT, PULL, CHECKS, REVIEWS, BRANCHES, ACTOR].join('');

/** Variables of the facts besides the issue itself. */
const FACTS_VARIABLES =
  '$base: String!, $hasBase: Boolean!, $landed: String!, $hasLanded: Boolean!, $projects: Boolean!, ' +
  '$stateRef: String!, $workRef: String!, $workBranch: String!, $pull: Int!, $hasPull: Boolean!, ' +
  '$comments: Int!, $checks: Int!, $ownPulls: Int!, $allChecks: Boolean!';

export const ISSUE_SNAPSHOT = /* GraphQL */ `
  query IssueSnapshot($owner: String!, $name: String!, $number: Int!, $ours: [ID!]!, $hasOurs: Boolean!, ${FACTS_VARIABLES}) {
    repository(owner: $owner, name: $name) { issue(number: $number) { ...IssueFacts } }
    ours: nodes(ids: $ours) @include(if: $hasOurs) { ...CommentFacts }
  }
  ${FACTS}
`;

/** Comments older than those in a snapshot. */
export const OLDER_COMMENTS = /* GraphQL */ `
  query OlderComments($issue: ID!, $before: String!) {
    node(id: $issue) {
      ... on Issue {
        comments(last: 100, before: $before) {
          pageInfo { hasPreviousPage startCursor }
          nodes { ...CommentFacts }
        }
      }
    }
  }
  ${COMMENT}
  ${ACTOR}
`;

/** Pull requests from branches of one name, in this repository or in forks, older than those that came with a snapshot. */
export const OLDER_PULLS = /* GraphQL */ `
  query OlderPulls($owner: String!, $name: String!, $branch: String!, $before: String) {
    repository(owner: $owner, name: $name) {
      id
      pullRequests(headRefName: $branch, last: 100, before: $before) {
        pageInfo { hasPreviousPage startCursor }
        nodes { ...PullOrigin }
      }
    }
  }
  ${PULL_ORIGIN}
  ${ACTOR}
`;

/* A mutation that others depend on has its own document: later fields run even if an earlier one failed. */

export const OPEN_PULL = /* GraphQL */ `
  mutation OpenPull($input: CreatePullRequestInput!, $number: Int!, ${FACTS_VARIABLES}) {
    opened: createPullRequest(input: $input) {
      pullRequest { repository { issue(number: $number) { ...IssueFacts } } }
    }
  }
  ${FACTS}
`;

export const MERGE_PULL = /* GraphQL */ `
  mutation MergePull($input: MergePullRequestInput!, $number: Int!, ${FACTS_VARIABLES}) {
    merged: mergePullRequest(input: $input) {
      pullRequest { repository { issue(number: $number) { ...IssueFacts } } }
    }
  }
  ${FACTS}
`;

const COMMAND_COMMENT = /* GraphQL */ `
  fragment CommandComment on IssueComment {
    ...CommentFacts
    repository { nameWithOwner }
    issue @skip(if: $isPull) { number ...IssueFacts }
    pullRequest @include(if: $isPull) { number headRefName isCrossRepository }
  }
`;

/** Reacts to a comment, and returns the comment and its subject: the snapshot, or the branch of the pull request. */
export const ACKNOWLEDGE = /* GraphQL */ `
  mutation Acknowledge($input: AddReactionInput!, $isPull: Boolean!, ${FACTS_VARIABLES}) {
    acknowledged: addReaction(input: $input) { subject { ...CommandComment } }
  }
  ${COMMAND_COMMENT}
  ${FACTS}
`;

/** The same without a reaction. */
export const READ_COMMENT = /* GraphQL */ `
  query ReadComment($id: ID!, $isPull: Boolean!, ${FACTS_VARIABLES}) {
    subject: node(id: $id) { ...CommandComment }
  }
  ${COMMAND_COMMENT}
  ${FACTS}
`;

/** One document for several reactions. */
export function reactDocument(count: number): string {
  const aliases = Array.from({ length: count }, (_, index) => stepAlias(index));
  const inputs = aliases.map((alias) => `$${alias}: AddReactionInput!`);
  const fields = aliases.map((alias) => `${alias}: addReaction(input: $${alias}) { clientMutationId }`);
  return `mutation React(${inputs.join(', ')}) {\n  ${fields.join('\n  ')}\n}`;
}

/** Recent comments on an issue or a pull request. */
export const CONVERSATION = /* GraphQL */ `
  query Conversation($owner: String!, $name: String!, $number: Int!) {
    repository(owner: $owner, name: $name) {
      subject: issueOrPullRequest(number: $number) {
        ... on Issue { id comments(last: 100) { nodes { id body author { ...ActorFacts } } } }
        ... on PullRequest { id comments(last: 100) { nodes { id body author { ...ActorFacts } } } }
      }
    }
  }
  ${ACTOR}
`;

export const ADD_COMMENT = /* GraphQL */ `
  mutation AddReply($input: AddCommentInput!) { addComment(input: $input) { clientMutationId } }
`;

export const EDIT_COMMENT = /* GraphQL */ `
  mutation EditReply($input: UpdateIssueCommentInput!) { updateIssueComment(input: $input) { clientMutationId } }
`;

/** The mutations of a projection, and the path of the issue in the payload, if there is one. */
export const STEPS = {
  addLabelsToLabelable: { input: 'AddLabelsToLabelableInput', issueAt: ['labelable'] },
  removeLabelsFromLabelable: { input: 'RemoveLabelsFromLabelableInput', issueAt: ['labelable'] },
  addComment: { input: 'AddCommentInput', issueAt: ['subject'] },
  updateIssueComment: { input: 'UpdateIssueCommentInput', issueAt: ['issueComment', 'issue'] },
  deleteIssueComment: { input: 'DeleteIssueCommentInput', issueAt: null },
  createCheckRun: { input: 'CreateCheckRunInput', issueAt: null },
  updateIssue: { input: 'UpdateIssueInput', issueAt: ['issue'] },
  closeIssue: { input: 'CloseIssueInput', issueAt: ['issue'] },
} as const satisfies Record<string, { readonly input: string; readonly issueAt: readonly string[] | null }>;
export type Step = keyof typeof STEPS;

/** Alias of a step, and name of the variable with its input. */
export const stepAlias = (index: number): string => `step${index}`;

/** One document for all steps; the last payload is the new snapshot, if it contains the issue. */
export function projectDocument(steps: readonly Step[]): string {
  const last = steps.at(-1);
  const issueAt = last === undefined ? null : STEPS[last].issueAt;
  const fields = steps.map((step, index) => {
    const path = index === steps.length - 1 ? issueAt : null;
    const payload = path === null ? 'clientMutationId' : path.reduceRight<string>(nest, '...IssueFacts');
    return `${stepAlias(index)}: ${step}(input: $${stepAlias(index)}) { ${payload} }`;
  });
  const inputs = steps.map((step, index) => `$${stepAlias(index)}: ${STEPS[step].input}!`);
  const variables = issueAt === null ? inputs : [...inputs, FACTS_VARIABLES];
  return `mutation ProjectIssue(${variables.join(', ')}) {\n  ${fields.join('\n  ')}\n}\n${issueAt === null ? '' : FACTS}`;
}

const nest = (inner: string, field: string): string => `${field} { ${inner} }`;

/** One document that makes this many labels. */
export function createLabelsDocument(count: number): string {
  const indices = Array.from({ length: count }, (_, index) => index);
  const inputs = indices.map((index) => `$${stepAlias(index)}: CreateLabelInput!`);
  const fields = indices.map(
    (index) => `${stepAlias(index)}: createLabel(input: $${stepAlias(index)}) { label { id name } }`,
  );
  return `mutation CreateLabels(${inputs.join(', ')}) {\n  ${fields.join('\n  ')}\n}`;
}
