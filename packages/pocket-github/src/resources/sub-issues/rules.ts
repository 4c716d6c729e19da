import { GitHubError, notFound } from '../../world/errors.js';
import type { Issue } from '../../world/model.js';
import type { Actor, World } from '../../world/world.js';
import { subjectOf } from '../issues/rules.js';
import { ancestorsOf, levelsBelow } from './hierarchy.js';

const MAX_SUB_ISSUES = 100;
/** Levels of sub-issues below the topmost parent. */
const MAX_LEVELS = 8;

/** Where a sub-issue goes among its siblings. */
export type Place = { readonly after: Issue } | { readonly before: Issue };

const refusal = (message: string) => new GitHubError(422, message, { type: 'VALIDATION' });

/**
 * Puts `child` last under `parent`; with `replaceParent`, away from the parent it has.
 * Both sides are told: the event is recorded once for the parent and once for the child.
 */
export async function addSubIssue(
  world: World,
  actor: Actor,
  parent: Issue,
  child: Issue,
  options: { readonly replaceParent: boolean },
): Promise<void> {
  const problems = problemsOf(world, parent, child, options.replaceParent);
  if (problems.length > 0) {
    throw refusal(`An error occurred while adding the sub-issue to the parent issue. ${problems.join(' and ')}`);
  }
  const former = child.parentId === null ? undefined : world.tables.issues.get(child.parentId);
  if (former !== undefined) await removeSubIssue(world, actor, former, child);
  const { subIssueIds } = world.tables.issues.must(parent.id);
  world.tables.issues.update(parent, { subIssueIds: [...subIssueIds, child.id] });
  world.tables.issues.update(child, { parentId: parent.id });
  await tellBoth(world, actor, 'sub-issue added', parent, child);
}

export async function removeSubIssue(world: World, actor: Actor, parent: Issue, child: Issue): Promise<void> {
  if (child.parentId !== parent.id) throw notFound();
  const { subIssueIds } = world.tables.issues.must(parent.id);
  world.tables.issues.update(parent, { subIssueIds: subIssueIds.filter((id) => id !== child.id) });
  world.tables.issues.update(child, { parentId: null });
  await tellBoth(world, actor, 'sub-issue removed', parent, child);
}

/** Moves a sub-issue among its siblings. GitHub has no event for that. */
export function reprioritizeSubIssue(world: World, parent: Issue, child: Issue, place: Place): void {
  const sibling = 'after' in place ? place.after : place.before;
  for (const issue of [child, sibling]) {
    if (issue.parentId !== parent.id) throw refusal(`Issue #${issue.number} is not a sub-issue of #${parent.number}`);
  }
  if (sibling.id === child.id) throw refusal('A sub-issue cannot be placed next to itself');
  const others = world.tables.issues.must(parent.id).subIssueIds.filter((id) => id !== child.id);
  const index = others.indexOf(sibling.id) + ('after' in place ? 1 : 0);
  world.tables.issues.update(parent, { subIssueIds: others.toSpliced(index, 0, child.id) });
}

async function tellBoth(
  world: World,
  actor: Actor,
  name: 'sub-issue added' | 'sub-issue removed',
  parent: Issue,
  child: Issue,
): Promise<void> {
  const data = { parentId: parent.id, childId: child.id };
  await world.record(actor, name, subjectOf(parent), data);
  await world.record(actor, name, subjectOf(child), data);
}

/** Everything that stands against it, in GitHub's words where they are known. */
function problemsOf({ tables }: World, parent: Issue, child: Issue, replaceParent: boolean): string[] {
  const ownerOf = (issue: Issue) => tables.repositories.must(issue.repositoryId).ownerId;
  const ancestors = ancestorsOf(tables, parent);
  const levels = ancestors.length + 1 + levelsBelow(tables, child);
  const isLoop = parent.id === child.id || ancestors.some((ancestor) => ancestor.id === child.id);
  const checks: readonly (readonly [boolean, string])[] = [
    [parent.pullId !== null, 'Parent may only be an issue'],
    [child.pullId !== null, 'Sub issue may only be an issue'],
    [ownerOf(parent) !== ownerOf(child), 'Sub issue must belong to the same repository owner as the parent issue'],
    [child.parentId === parent.id, 'Issue may not contain duplicate sub-issues'],
    [child.parentId !== null && !replaceParent, 'Sub issue may only have one parent'],
    [parent.id === child.id, 'Sub issue cannot be the same as the parent issue'],
    [isLoop && parent.id !== child.id, 'Sub issue cannot be an ancestor of the parent issue'],
    [parent.subIssueIds.length >= MAX_SUB_ISSUES, `Parent cannot have more than ${MAX_SUB_ISSUES} sub-issues`],
    [!isLoop && levels > MAX_LEVELS, `You can’t add more than ${MAX_LEVELS} layers of sub-issues`],
  ];
  return checks.flatMap(([applies, problem]) => (applies ? [problem] : []));
}
