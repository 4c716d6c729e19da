import { z } from 'zod';

/* Schemas of GitHub's answers, checked when they come in. */

/** The nodes of a connection. GitHub sends `null` for what we may not see. */
export const nodes = <T extends z.ZodType>(node: T) =>
  z
    .object({ nodes: z.array(node.nullable()).nullable() })
    .transform((connection) => (connection.nodes ?? []).filter((entry) => entry !== null));

export const time = z.string().transform((text) => Date.parse(text));
const oid = z.object({ oid: z.string() });

export const actorFacts = z
  .object({ type: z.string(), login: z.string(), databaseId: z.number().nullish() })
  .nullable();
export type ActorFacts = z.infer<typeof actorFacts>;

const branchRules = z.object({
  refUpdateRule: z
    .object({
      requiredApprovingReviewCount: z.number().nullable(),
      requiredStatusCheckContexts: z.array(z.string().nullable()).nullable(),
      requiresSignatures: z.boolean(),
      viewerCanPush: z.boolean(),
    })
    .nullable(),
  rules: nodes(
    z.object({
      type: z.string(),
      parameters: z
        .object({
          requiredStatusChecks: z
            .array(z.object({ context: z.string(), integrationId: z.number().nullable() }))
            .optional(),
        })
        .nullable(),
    }),
  ).nullable(),
});
export type BranchRuleFacts = z.infer<typeof branchRules>;

const baseBranch = branchRules.extend({
  name: z.string(),
  target: oid.extend({ statusCheckRollup: z.object({ state: z.string() }).nullish() }).nullable(),
  compare: z.object({ status: z.string() }).nullish(),
});

const checkContext = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('CheckRun'),
    name: z.string(),
    status: z.string(),
    conclusion: z.string().nullable(),
    title: z.string().nullable(),
    summary: z.string().nullable(),
    checkSuite: z.object({ app: z.object({ databaseId: z.number().nullable() }).nullable() }),
  }),
  z.object({
    type: z.literal('StatusContext'),
    context: z.string(),
    state: z.string(),
    description: z.string().nullable(),
  }),
]);
export type CheckContextFacts = z.infer<typeof checkContext>;

/** What `ReviewFacts` answers. */
const reviewFacts = {
  reviewDecision: z.string().nullish(),
  opinions: nodes(
    z.object({
      id: z.string(),
      state: z.string(),
      body: z.string(),
      submittedAt: time.nullable(),
      authorCanPushToRepository: z.boolean(),
      author: actorFacts,
      commit: oid.nullable(),
    }),
  ).nullish(),
  objections: nodes(
    z.object({
      id: z.string(),
      comments: nodes(
        z.object({
          path: z.string(),
          line: z.number().nullable(),
          originalLine: z.number().nullable(),
          body: z.string(),
        }),
      ),
    }),
  ).nullish(),
  reviewRequests: nodes(
    z.object({
      requestedReviewer: z.object({ login: z.string().optional(), combinedSlug: z.string().optional() }).nullable(),
    }),
  ).nullish(),
};

/** The last reopening. */
const reopenings = nodes(z.object({ actor: actorFacts })).nullish();

/** What `PullOrigin` answers. */
export const pullOrigin = z.object({
  id: z.string(),
  number: z.number(),
  isCrossRepository: z.boolean(),
  headRefName: z.string(),
  headRepository: z.object({ id: z.string() }).nullable(),
  author: actorFacts,
});
export type PullOrigin = z.infer<typeof pullOrigin>;

const pullRequestFacts = pullOrigin.extend({
  ...reviewFacts,
  reopenings,
  state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
  isDraft: z.boolean(),
  createdAt: time,
  closedAt: time.nullable(),
  mergedAt: time.nullable(),
  mergeable: z.string(),
  mergeStateStatus: z.string(),
  headRefOid: z.string(),
  baseRefName: z.string(),
  baseRef: branchRules.nullish(),
  mergeCommit: oid.nullable(),
  statusCheckRollup: z
    .object({
      state: z.string(),
      contexts: z.object({
        pageInfo: z.object({ hasNextPage: z.boolean() }),
        nodes: z.array(checkContext.nullable()).nullable(),
      }),
    })
    .nullish(),
});
export type PullRequestFacts = z.infer<typeof pullRequestFacts>;

const eventFields = { id: z.string(), createdAt: time, actor: actorFacts };
export const issueEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.enum(['LabeledEvent', 'UnlabeledEvent']),
    ...eventFields,
    label: z.object({ name: z.string() }),
  }),
  z.object({ type: z.enum(['ClosedEvent', 'ReopenedEvent', 'RenamedTitleEvent']), ...eventFields }),
]);
export type IssueEventFacts = z.infer<typeof issueEvent>;

/** A label of ours, under its alias; `null` where the repository does not have it. */
export const labelFacts = z.object({ id: z.string() }).nullable();

/** Enough of a pull request to tell whether it is one of Sluice's. */
const branchOfPull = z.object({ headRefName: z.string(), isCrossRepository: z.boolean() });

/** Loose, because it also holds our labels by alias. */
const repositoryFacts = z.looseObject({
  id: z.string(),
  databaseId: z.number(),
  defaultBranchRef: baseBranch.nullable(),
  base: baseBranch.nullish(),
  state: oid
    .extend({
      parents: nodes(oid).optional(),
      file: z
        .object({ object: z.object({ text: z.string().nullish(), isTruncated: z.boolean().optional() }).nullable() })
        .nullish(),
    })
    .nullable(),
  work: z.object({ target: oid.nullable(), associatedPullRequests: nodes(pullRequestFacts).optional() }).nullable(),
  recorded: pullRequestFacts.nullish(),
  squashMergeAllowed: z.boolean(),
  mergeCommitAllowed: z.boolean(),
  rebaseMergeAllowed: z.boolean(),
  openPulls: nodes(branchOfPull).nullable(),
  workBranches: nodes(z.object({ associatedPullRequests: nodes(branchOfPull) })).nullable(),
  pullRequests: z
    .object({
      pageInfo: z.object({ hasPreviousPage: z.boolean() }),
      nodes: z.array(pullRequestFacts.nullable()).nullable(),
    })
    .optional(),
});
export type RepositoryFacts = z.infer<typeof repositoryFacts>;

export const commentFacts = z.object({
  id: z.string(),
  fullDatabaseId: z.coerce.number(),
  body: z.string(),
  createdAt: time,
  lastEditedAt: time.nullable(),
  author: actorFacts,
});
export type CommentNode = z.infer<typeof commentFacts>;

/** The newest comments, and whether there are older ones. */
export const commentPage = z.object({
  pageInfo: z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullable() }),
  nodes: z.array(commentFacts.nullable()).nullable(),
});
export type CommentPage = z.infer<typeof commentPage>;

export const issueFacts = z.object({
  id: z.string(),
  updatedAt: time,
  title: z.string(),
  body: z.string(),
  author: actorFacts,
  editor: actorFacts,
  lastEditedAt: time.nullable(),
  state: z.enum(['OPEN', 'CLOSED']),
  labels: nodes(z.object({ id: z.string(), name: z.string() })).nullable(),
  labelings: nodes(issueEvent),
  closings: nodes(issueEvent),
  comments: commentPage,
  projectItems: nodes(
    z.object({
      fieldValueByName: z
        .object({ name: z.string().nullish(), text: z.string().nullish(), updatedAt: time.optional() })
        .nullable(),
    }),
  ).nullish(),
  repository: repositoryFacts,
});
export type IssueFacts = z.infer<typeof issueFacts>;
