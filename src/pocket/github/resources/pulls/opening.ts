import { UnmodelledError, validationFailed } from '../../world/errors.js';
import { findUser } from '../../world/lookup.js';
import type { Oid, Pull, Repository } from '../../world/model.js';
import type { Actor, World } from '../../world/world.js';
import { closingTargets } from '../closing-keywords/closing-targets.js';
import { insertIssue, subjectOf } from '../issues/rules.js';
import { branchTip, keepRefs, measure, tryMerge } from './trial-merge.js';

/** A pull request to be opened. `head` is `branch` or `owner:branch`. */
export interface NewPull {
  readonly title: string;
  readonly head: string;
  readonly base: string;
  readonly body?: string | null | undefined;
  readonly draft?: boolean | undefined;
}

const custom = (message: string) => validationFailed({ resource: 'PullRequest', code: 'custom', message });
const invalid = (field: 'head' | 'base') => validationFailed({ resource: 'PullRequest', field, code: 'invalid' });

export async function openPull(world: World, actor: Actor, repository: Repository, given: NewPull): Promise<Pull> {
  return world.exclusive(repository.id, async () => {
    const headRef = headBranch(world, repository, given.head);
    const { head, base } = tips(world, repository, headRef, given.base);
    await checkCommits(world, repository, { headRef, baseRef: given.base, head, base });
    const owner = world.tables.users.must(repository.ownerId).login;
    if (openPullBetween(world, repository.id, headRef, given.base) !== undefined) {
      throw custom(`A pull request already exists for ${owner}:${headRef}.`);
    }
    const git = world.git(repository.id);
    const [trial, size] = await Promise.all([tryMerge(world, repository.id, base, head), measure(git, base, head)]);
    const id = world.newId();
    const issue = insertIssue(world, actor, repository, { title: given.title, body: given.body, pullId: id });
    const pull = world.tables.pulls.insert({
      id,
      repositoryId: repository.id,
      issueId: issue.id,
      number: issue.number,
      headRef,
      baseRef: given.base,
      headOid: head,
      baseOid: base,
      draft: given.draft ?? false,
      mergedAt: null,
      mergedById: null,
      mergeCommitOid: null,
      autoMerge: null,
      requestedReviewerIds: [],
      // The permission is about forks; GitHub shows `false` for a head in the same repository, whatever was asked.
      maintainerCanModify: false,
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
  headRef: string,
  baseRef: string,
): Pull | undefined {
  const { pulls, issues } = world.tables;
  return pulls
    .by('repositoryId', repositoryId)
    .find((pull) => pull.headRef === headRef && pull.baseRef === baseRef && issues.must(pull.issueId).state === 'open');
}

function headBranch(world: World, repository: Repository, head: string): string {
  const colon = head.indexOf(':');
  if (colon === -1) return head;
  const owner = findUser(world.tables, head.slice(0, colon));
  if (owner === undefined) throw invalid('head');
  if (owner.id !== repository.ownerId) throw new UnmodelledError(`pull requests from a fork (${head})`);
  return head.slice(colon + 1);
}

function tips(world: World, repository: Repository, headRef: string, baseRef: string): { head: Oid; base: Oid } {
  const base = branchTip(world, repository.id, baseRef);
  if (base === undefined) throw invalid('base');
  const head = branchTip(world, repository.id, headRef);
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
