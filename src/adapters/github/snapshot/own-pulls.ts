import { type IssueRef, workBranch } from '../../../domain/issue/ids.js';
import type { PullFacts } from '../../../domain/state/snapshot.js';
import { GitHubError, type RawSnapshot, type SnapshotHints } from '../../../ports/github.js';
import { toActor } from './actor.js';
import { checksOf } from './check-facts.js';
import type { PullOrigin, PullRequestFacts, RepositoryFacts } from './facts.js';
import { reviewsOf } from './review-facts.js';

/* Which of the pull requests GitHub shows can be ours. */

/** Which issue, and who we are. */
export interface PullQuery {
  readonly ref: IssueRef;
  readonly accountId: number;
}

interface HintedPullQuery extends PullQuery {
  readonly hints: SnapshotHints;
}

/** Our pull requests, whether there may be more, and somebody else's that blocks ours. */
export function pullsOf(
  repository: RepositoryFacts,
  query: HintedPullQuery,
): Pick<RawSnapshot, 'pulls' | 'pullsCut' | 'foreignPull'> {
  const { work, recorded, pullRequests } = repository;
  const { hints } = query;
  const byBranch = work?.associatedPullRequests ?? [];
  const byName = (pullRequests?.nodes ?? []).filter((pull) => pull !== null);
  const found = [...byBranch, ...byName].filter((pull) => isOurs(pull, repository.id, query));
  const wanted = hints.pull !== null && 'id' in hints.pull ? hints.pull.id : null;
  const known = recorded != null && recorded.id === wanted ? [recorded] : [];
  return {
    pulls: unique([...known, ...found])
      .sort((a, b) => b.number - a.number)
      .map(pullFacts),
    // Where the branch exists, GitHub lists its own pull requests and no fork's.
    pullsCut: work === null && pullRequests?.pageInfo.hasPreviousPage === true,
    foreignPull: foreignPull(byBranch, repository, query),
  };
}

/** From the work branch of this very repository, and opened by us. */
export function isOurs(pull: PullOrigin, repositoryId: string, { ref, accountId }: PullQuery): boolean {
  return isFromWorkBranch(pull, repositoryId, ref) && toActor(pull.author)?.id === accountId;
}

function isFromWorkBranch(pull: PullOrigin, repositoryId: string, { number }: IssueRef): boolean {
  if (pull.isCrossRepository || pull.headRefName !== workBranch(number)) return false;
  // Only a fork's repository can be missing. Here GitHub has left something out.
  if (pull.headRepository === null)
    throw new GitHubError('transient', `GitHub does not say where #${pull.number} comes from`);
  return pull.headRepository.id === repositoryId;
}

function foreignPull(
  pulls: readonly PullRequestFacts[],
  { id, base, defaultBranchRef }: RepositoryFacts,
  query: HintedPullQuery,
): number | null {
  const baseRef = (base ?? defaultBranchRef)?.name;
  const other = pulls.find(
    (pull) =>
      pull.state === 'OPEN' &&
      pull.baseRefName === baseRef &&
      isFromWorkBranch(pull, id, query.ref) &&
      !isOurs(pull, id, query),
  );
  return other?.number ?? null;
}

/** Removes duplicates; the first has the most facts. */
function unique(pulls: readonly PullRequestFacts[]): PullRequestFacts[] {
  return pulls.filter(({ id }, index) => pulls.findIndex((other) => other.id === id) === index);
}

const STATES = { OPEN: 'open', CLOSED: 'closed', MERGED: 'merged' } as const;
const MERGEABLE: Readonly<Record<string, PullFacts['mergeable']>> = { MERGEABLE: 'yes', CONFLICTING: 'conflict' };

function pullFacts(pull: PullRequestFacts): PullFacts {
  return {
    id: pull.id,
    number: pull.number,
    state: STATES[pull.state],
    draft: pull.isDraft,
    head: pull.headRefOid,
    baseRef: pull.baseRefName,
    createdAt: pull.createdAt,
    closedAt: pull.closedAt,
    reopenedBy: toActor(pull.reopenings?.at(-1)?.actor ?? null),
    mergeable: MERGEABLE[pull.mergeable] ?? 'unknown',
    mergeState: pull.mergeStateStatus,
    checks: checksOf(pull),
    ...reviewsOf(pull),
    isCut: pull.statusCheckRollup === undefined || (pull.state === 'OPEN' && pull.opinions === undefined),
    mergeCommit: pull.mergeCommit?.oid ?? null,
    mergedAt: pull.mergedAt,
  };
}
