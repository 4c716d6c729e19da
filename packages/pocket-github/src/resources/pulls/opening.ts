import { validationFailed } from '../../world/errors.js';
import { findUser, sourceOf } from '../../world/lookup.js';
import type { Oid, Pull, Repository } from '../../world/model.js';
import type { Actor, World } from '../../world/world.js';
import { closingTargets } from '../closing-keywords/closing-targets.js';
import { insertIssue, subjectOf } from '../issues/rules.js';
import { branchTip, keepRefs, measure, tryMerge } from './merging/trial-merge.js';

/** A branch that a pull request is made of, and the repository it lives in. */
export interface HeadBranch {
  readonly repository: Repository;
  readonly ref: string;
}

/** A pull request to be opened. `head` is `branch` or `owner:branch`. */
export interface NewPull {
  readonly title: string;
  readonly head: string;
  readonly base: string;
  readonly body?: string | null | undefined;
  readonly draft?: boolean | undefined;
  /** Of a head in a fork: whether those who may push to base may push to it too. */
  readonly maintainerCanModify?: boolean | undefined;
}

const custom = (message: string) => validationFailed({ resource: 'PullRequest', code: 'custom', message });
const invalid = (field: 'head' | 'base') => validationFailed({ resource: 'PullRequest', field, code: 'invalid' });

export async function openPull(world: World, actor: Actor, repository: Repository, given: NewPull): Promise<Pull> {
  return world.exclusive(repository.id, async () => {
    const from = headBranch(world, repository, given.head);
    const { ref: headRef } = from;
    const { head, base } = tips(world, repository, from, given.base);
    const git = world.git(repository.id);
    await git.takeFrom(world.git(from.repository.id), [head]);
    await checkCommits(world, repository, { headRef, baseRef: given.base, head, base });
    const owner = world.tables.users.must(from.repository.ownerId).login;
    const ends = { headRepositoryId: from.repository.id, headRef, baseRef: given.base };
    if (openPullBetween(world, repository.id, ends) !== undefined) {
      throw custom(`A pull request already exists for ${owner}:${headRef}.`);
    }
    const [trial, size] = await Promise.all([tryMerge(world, repository.id, base, head), measure(git, base, head)]);
    const id = world.newId();
    const issue = insertIssue(world, actor, repository, { title: given.title, body: given.body, pullId: id });
    const pull = world.tables.pulls.insert({
      id,
      repositoryId: repository.id,
      issueId: issue.id,
      number: issue.number,
      ...ends,
      headOwnerId: from.repository.ownerId,
      headOid: head,
      baseOid: base,
      draft: given.draft ?? false,
      mergedAt: null,
      mergedById: null,
      mergeCommitOid: null,
      autoMerge: null,
      requestedReviewerIds: [],
      // The permission is about forks; GitHub shows `false` for a head in the same repository, whatever was asked.
      maintainerCanModify: from.repository.id !== repository.id && (given.maintainerCanModify ?? true),
      trial,
      mergeableKnownAt: world.now() + world.lags.mergeableMs,
      size,
      closingIssueIds: closingTargets(world.tables, issue),
    });
    await keepRefs(world, actor, pull);
    await world.record(actor, 'opened', subjectOf(issue), {});
    return world.tables.pulls.must(id);
  });
}

/** The open pull request from one branch to another, if there is one: GitHub allows no second. */
export function openPullBetween(
  world: World,
  repositoryId: number,
  { headRepositoryId, headRef, baseRef }: Pick<Pull, 'headRepositoryId' | 'headRef' | 'baseRef'>,
): Pull | undefined {
  const { pulls, issues } = world.tables;
  return pulls
    .by('repositoryId', repositoryId)
    .find(
      (pull) =>
        pull.headRepositoryId === headRepositoryId &&
        pull.headRef === headRef &&
        pull.baseRef === baseRef &&
        issues.must(pull.issueId).state === 'open',
    );
}

/** The branch a client means: of this repository, or with `owner:` before it that owner's repository of the same fork network. */
export function headBranch(world: World, repository: Repository, head: string): HeadBranch {
  const colon = head.indexOf(':');
  const owner = findUser(world.tables, head.slice(0, Math.max(0, colon)));
  if (colon === -1 || owner?.id === repository.ownerId) return { repository, ref: head.slice(colon + 1) };
  const source = sourceOf(world.tables, repository).id;
  const fork = world.tables.repositories
    .by('ownerId', owner?.id ?? 0)
    .find((candidate) => sourceOf(world.tables, candidate).id === source);
  if (fork === undefined) throw invalid('head');
  return { repository: fork, ref: head.slice(colon + 1) };
}

function tips(world: World, repository: Repository, from: HeadBranch, baseRef: string): { head: Oid; base: Oid } {
  const base = branchTip(world, repository.id, baseRef);
  if (base === undefined) throw invalid('base');
  const head = branchTip(world, from.repository.id, from.ref);
  if (head === undefined) throw invalid('head');
  return { head, base };
}

interface Ends {
  readonly headRef: string;
  readonly baseRef: string;
  readonly head: Oid;
  readonly base: Oid;
}

async function checkCommits(
  world: World,
  repository: Repository,
  { headRef, baseRef, head, base }: Ends,
): Promise<void> {
  const git = world.git(repository.id);
  if ((await git.mergeBase(base, head)) === null)
    throw custom(`The ${headRef} branch has no history in common with ${baseRef}`);
  if (await git.isAncestor(head, base)) throw custom(`No commits between ${baseRef} and ${headRef}`);
}
