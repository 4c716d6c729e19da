import type { ResolverMap } from '../../graphql/resolvers.js';
import { autoMergeFields, pullFields } from './graphql-fields.js';
import {
  changedFileFields,
  pullCommitFields,
  pullListFields,
  pullsOfCommit,
  pullsOfRef,
  repositoryPullFields,
} from './graphql-lists.js';
import { pullMutations } from './graphql-mutations.js';
import { requestReviews } from './reviewers/graphql-reviewers.js';

export const pullResolvers: ResolverMap = {
  PullRequest: { ...pullFields, ...pullListFields },
  PullRequestCommit: pullCommitFields,
  PullRequestChangedFile: changedFileFields,
  AutoMergeRequest: autoMergeFields,
  Repository: repositoryPullFields,
  Ref: { associatedPullRequests: pullsOfRef },
  Commit: { associatedPullRequests: pullsOfCommit },
  Mutation: { ...pullMutations, requestReviews },
};
