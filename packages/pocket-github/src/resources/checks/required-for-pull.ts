import { nodeOf } from '../../graphql/nodes.js';
import type { Context } from '../../http/context.js';
import { GitHubError, unprocessable } from '../../world/errors.js';
import { findPull } from '../../world/lookup.js';
import type { BranchRules, Pull, Repository } from '../../world/model.js';
import { effectiveRules } from '../protection/effective-rules.js';

/** How `isRequired` is told which pull request is meant. */
export interface PullReference {
  readonly pullRequestId?: string | null;
  readonly pullRequestNumber?: number | null;
}

/** What the base of a pull request demands of everybody. */
export function rulesForPull(context: Context, repository: Repository, reference: PullReference): BranchRules {
  return effectiveRules(context.db, repository, pullOf(context, repository, reference).baseRef);
}

function pullOf(context: Context, repository: Repository, { pullRequestId, pullRequestNumber }: PullReference): Pull {
  if (pullRequestId != null) return nodeOf(context, 'pulls', pullRequestId);
  if (pullRequestNumber == null) throw unprocessable('Either pullRequestId or pullRequestNumber must be provided.');
  const pull = findPull(context.db, repository.id, pullRequestNumber);
  if (pull !== undefined) return pull;
  throw new GitHubError(404, `Could not resolve to a PullRequest with the number of ${pullRequestNumber}.`);
}
