import { type GitHubError, unprocessable, validationFailed } from '../../world/errors.js';
import { headRepositoryOf } from '../../world/lookup.js';
import type { Issue, Pull } from '../../world/model.js';
import type { Actor, World } from '../../world/world.js';
import { closeIssue, editIssue, reopenIssue } from '../issues/rules.js';
import { openPullBetween } from './opening.js';
import { branchTip, refreshPull, takeHead } from './merging/trial-merge.js';

/** What can be changed of a pull request by editing it. */
export interface PullChange {
  readonly title?: string | undefined;
  readonly body?: string | null | undefined;
  readonly base?: string | undefined;
  readonly state?: 'open' | 'closed' | undefined;
}

export const issueOf = (world: World, pull: Pull): Issue => world.tables.issues.must(pull.issueId);
export const subjectOfPull = (pull: Pull) => ({ repositoryId: pull.repositoryId, subjectId: pull.issueId });

export async function updatePull(world: World, actor: Actor, pull: Pull, change: PullChange): Promise<Pull> {
  const { title, body, base, state } = change;
  if (base !== undefined && base !== pull.baseRef) await changeBase(world, actor, pull, base);
  await editIssue(world, actor, issueOf(world, pull), { title, body });
  if (state === 'closed') await closePull(world, actor, pull);
  if (state === 'open') await reopenPull(world, actor, pull);
  return world.tables.pulls.must(pull.id);
}

export async function closePull(world: World, actor: Actor, pull: Pull): Promise<Pull> {
  await closeIssue(world, actor, issueOf(world, pull), { reason: null });
  return world.tables.pulls.must(pull.id);
}

/** Opens a closed pull request again, with the commits its branch has now. */
export async function reopenPull(world: World, actor: Actor, pull: Pull): Promise<Pull> {
  return world.exclusive(pull.repositoryId, async () => {
    if (issueOf(world, pull).state === 'open') return pull;
    await checkReopenable(world, pull);
    const base = branchTip(world, pull.repositoryId, pull.baseRef) ?? pull.baseOid;
    const head = branchTip(world, pull.headRepositoryId, pull.headRef) ?? pull.headOid;
    await refreshPull(world, actor, pull, { base, head });
    await reopenIssue(world, actor, issueOf(world, pull));
    return world.tables.pulls.must(pull.id);
  });
}

/** Refuses, as GitHub does, what cannot be open again. */
async function checkReopenable(world: World, pull: Pull): Promise<void> {
  const refuse = (why: string) =>
    validationFailed({
      resource: 'PullRequest',
      field: 'state',
      code: 'custom',
      message: `state cannot be changed. ${why}`,
    });
  if (pull.mergedAt !== null) throw refuse('The pull request cannot be reopened.');
  const ownerOf = (id: number): string => world.tables.users.must(id).login;
  const owner = ownerOf(pull.headOwnerId);
  if (headRepositoryOf(world.tables, pull) === undefined) throw refuse('The head repository has been deleted.');
  const head = branchTip(world, pull.headRepositoryId, pull.headRef);
  if (head === undefined) throw refuse(`The ${pull.headRef} branch has been deleted.`);
  const base = branchTip(world, pull.repositoryId, pull.baseRef);
  if (base === undefined) throw refuse(`The ${pull.baseRef} branch has been deleted.`);
  const git = world.git(pull.repositoryId);
  await takeHead(world, pull, head);
  if (!(await git.isAncestor(pull.headOid, head)))
    throw refuse(`The ${pull.headRef} branch was force-pushed or recreated.`);
  if (await git.isAncestor(head, base))
    throw refuse(`There are no new commits on the ${owner}:${pull.headRef} branch.`);
  const other = openPullBetween(world, pull.repositoryId, pull);
  if (other === undefined) return;
  const baseOwner = ownerOf(world.tables.repositories.must(pull.repositoryId).ownerId);
  throw refuse(
    `There is already an open pull request (#${other.number}) from ${owner}:${pull.headRef} to ${baseOwner}:${pull.baseRef}.`,
  );
}

export async function changeBase(world: World, actor: Actor, pull: Pull, to: string): Promise<Pull> {
  return world.exclusive(pull.repositoryId, async () => {
    const { baseRef: from, baseOid: fromOid, headRef } = pull;
    const tip = branchTip(world, pull.repositoryId, to);
    if (tip === undefined) {
      const message = `Proposed base branch '${to}' was not found`;
      throw validationFailed({ message, resource: 'PullRequest', field: 'base', code: 'invalid' });
    }
    if (issueOf(world, pull).state === 'closed')
      throw baseProblem('Cannot change the base branch of a closed pull request.');
    if (await world.git(pull.repositoryId).isAncestor(pull.headOid, tip)) {
      throw baseProblem(`There are no new commits between base branch '${to}' and head branch '${headRef}'`);
    }
    if (openPullBetween(world, pull.repositoryId, { ...pull, baseRef: to }) !== undefined) {
      throw baseProblem(`A pull request already exists for base branch '${to}' and head branch '${headRef}'`);
    }
    const retargeted = world.tables.pulls.update(pull, { baseRef: to });
    const next = await refreshPull(world, actor, retargeted, { base: tip, head: pull.headOid });
    touch(world, pull);
    await world.record(actor, 'base changed', subjectOfPull(pull), { from, to, fromOid });
    return next;
  });
}

const baseProblem = (message: string): GitHubError =>
  validationFailed({ resource: 'PullRequest', field: 'base', code: 'custom', message });

export async function convertToDraft(world: World, actor: Actor, pull: Pull): Promise<Pull> {
  if (pull.draft) return pull;
  checkOpen(world, pull);
  const next = world.tables.pulls.update(pull, { draft: true });
  touch(world, pull);
  await world.record(actor, 'converted to draft', subjectOfPull(pull), {});
  return next;
}

export async function markReadyForReview(world: World, actor: Actor, pull: Pull): Promise<Pull> {
  if (!pull.draft) return pull;
  checkOpen(world, pull);
  const next = world.tables.pulls.update(pull, { draft: false });
  touch(world, pull);
  await world.record(actor, 'ready for review', subjectOfPull(pull), {});
  return next;
}

/** Whatever happens to a pull request moves its `updated_at`. */
export function touch(world: World, pull: Pull): void {
  world.tables.issues.update(issueOf(world, pull), { updatedAt: world.now() });
}

export function checkOpen(world: World, pull: Pull): void {
  if (issueOf(world, pull).state === 'closed') throw unprocessable('Pull request is closed');
}
