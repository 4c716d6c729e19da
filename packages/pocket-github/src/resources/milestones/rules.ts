import { validationFailed } from '../../world/errors.js';
import type { Issue, Milestone, Repository } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { Actor, World } from '../../world/world.js';

export function findMilestone(db: Tables, repositoryId: number, number: number): Milestone | undefined {
  return db.milestones.by('repositoryId', repositoryId).find((milestone) => milestone.number === number);
}

/** A milestone by number for creating or editing an issue; GitHub refuses a number that does not exist. */
export function milestoneByNumber(db: Tables, repository: Repository, number: number): Milestone {
  const milestone = findMilestone(db, repository.id, number);
  if (milestone !== undefined) return milestone;
  throw validationFailed({ value: String(number), resource: 'Issue', field: 'milestone', code: 'invalid' });
}

export function createMilestone(world: World, actor: Actor, repository: Repository, title: string): Milestone {
  const { milestones } = world.tables;
  const existing = milestones.by('repositoryId', repository.id);
  if (title.trim() === '') throw validationFailed({ resource: 'Milestone', code: 'missing_field', field: 'title' });
  if (existing.some((milestone) => milestone.title === title)) {
    throw validationFailed({ resource: 'Milestone', code: 'already_exists', field: 'title' });
  }
  return milestones.insert({
    id: world.newId(),
    repositoryId: repository.id,
    number: Math.max(0, ...existing.map(({ number }) => number)) + 1,
    title,
    state: 'open',
    creatorId: actor.userId,
    createdAt: world.now(),
  });
}

/** Puts an issue into a milestone, out of the one it was in, or (`null`) out of any. */
export async function setMilestone(
  world: World,
  actor: Actor,
  issue: Issue,
  milestone: Milestone | null,
): Promise<Issue> {
  const { issues, milestones } = world.tables;
  const current = issue.milestoneId;
  if (current === (milestone?.id ?? null)) return issue;
  const subject = { repositoryId: issue.repositoryId, subjectId: issue.id };
  if (current !== null) {
    issues.update(issue, { milestoneId: null, updatedAt: world.now() });
    await world.record(actor, 'demilestoned', subject, { milestoneId: current, title: milestones.must(current).title });
  }
  if (milestone !== null) {
    issues.update(issue, { milestoneId: milestone.id, updatedAt: world.now() });
    await world.record(actor, 'milestoned', subject, { milestoneId: milestone.id, title: milestone.title });
  }
  return issues.must(issue.id);
}
