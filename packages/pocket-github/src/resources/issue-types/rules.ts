import { validationFailed } from '../../world/errors.js';
import type { Issue, IssueType, Repository } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { Actor, World } from '../../world/world.js';

/** The types of a repository's issues are those of the organisation that owns it; people have none. */
export function typesOf(db: Tables, repository: Repository): IssueType[] {
  return db.issueTypes.by('ownerId', repository.ownerId);
}

/** A type by name for creating or editing an issue; GitHub refuses a name the organisation does not have. */
export function typeByName(db: Tables, repository: Repository, name: string): IssueType {
  const type = typesOf(db, repository).find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
  if (type !== undefined) return type;
  throw validationFailed({ value: name, resource: 'Issue', field: 'type', code: 'invalid' });
}

/** Gives an issue a type, another type, or (`null`) none. */
export async function setType(world: World, actor: Actor, issue: Issue, typeId: number | null): Promise<Issue> {
  const { issues } = world.tables;
  if (issue.typeId === typeId) return issue;
  const subject = { repositoryId: issue.repositoryId, subjectId: issue.id };
  issues.update(issue, { typeId, updatedAt: world.now() });
  if (issue.typeId !== null) await world.record(actor, 'untyped', subject, { typeId: issue.typeId });
  if (typeId !== null) await world.record(actor, 'typed', subject, { typeId });
  return issues.must(issue.id);
}
