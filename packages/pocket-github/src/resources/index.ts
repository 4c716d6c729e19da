import { meta } from './meta/index.js';
import { hooks } from './hooks/index.js';
import { collaborators } from './collaborators/index.js';
import { projects } from './projects/index.js';
import { timeline } from './timeline/index.js';
import { assignees } from './assignees/index.js';
import { comments } from './comments/index.js';
import { edits } from './edits/index.js';
import { issueTypes } from './issue-types/index.js';
import { issues } from './issues/index.js';
import { milestones } from './milestones/index.js';
import { reactions } from './reactions/index.js';
import { search } from './search/index.js';
import { subIssues } from './sub-issues/index.js';
import { dependencies } from './dependencies/index.js';
import { apps } from './apps/index.js';
import { closingKeywords } from './closing-keywords/index.js';
import { pulls } from './pulls/index.js';
import { checks } from './checks/index.js';
import { mergeQueue } from './merge-queue/index.js';
import { reviewThreads } from './review-threads/index.js';
import { reviews } from './reviews/index.js';
import { branches } from './branches/index.js';
import { commits } from './commits/index.js';
import { contents } from './contents/index.js';
import { gitData } from './git-data/index.js';
import { labels } from './labels/index.js';
import { refs } from './refs/index.js';
import { nodes } from './nodes/index.js';
import { rateLimit } from './rate-limit/index.js';
import { forks } from './forks/index.js';
import { repositories } from './repositories/index.js';
import { protection } from './protection/index.js';
import { rulesets } from './rulesets/index.js';
import { statuses } from './statuses/index.js';
import { users } from './users/index.js';
import type { Resource } from './resource.js';

/** Everything Pocket GitHub models. */
export const RESOURCES: readonly Resource[] = [
  meta,
  hooks,
  collaborators,
  subIssues,
  projects,
  timeline,
  dependencies,
  apps,
  pulls,
  closingKeywords,
  checks,
  reviews,
  reviewThreads,
  mergeQueue,
  refs,
  gitData,
  contents,
  branches,
  commits,
  labels,
  issues,
  comments,
  edits,
  reactions,
  assignees,
  milestones,
  issueTypes,
  search,
  nodes,
  rateLimit,
  repositories,
  forks,
  protection,
  rulesets,
  statuses,
  users,
];
