import type { Context } from '../../http/context.js';
import { canSee } from '../../identity/access.js';
import type { Issue, Project, ProjectField, ProjectItem } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';

/** Who put the card on the board. */
export function creatorOf(db: Tables, item: ProjectItem): number {
  const created = db.events
    .by('name', 'project item created')
    .find((event) => event.name === 'project item created' && event.data.itemId === item.id);
  return created?.actorId ?? db.projects.must(item.projectId).ownerId;
}

/** The value of one field of a card. */
export interface CardValue {
  readonly item: ProjectItem;
  readonly field: ProjectField;
  readonly value: string | number;
}

/** What the card shows in a field; `null` when nothing was entered. The title comes from the issue. */
export function valueOf(item: ProjectItem, field: ProjectField, content: Issue | null): CardValue | null {
  const value = field.type === 'TITLE' ? content?.title : item.values[field.id];
  return value === undefined ? null : { item, field, value };
}

/** When somebody entered what a field shows. */
export function valueUpdatedAt(db: Tables, { item, field }: CardValue): number {
  const edited = db.events
    .by('name', 'project item edited')
    .findLast(
      (event) =>
        event.name === 'project item edited' && event.data.itemId === item.id && event.data.fieldId === field.id,
    );
  return edited?.at ?? item.createdAt;
}

export function fieldsOf(db: Tables, project: Project): ProjectField[] {
  return db.projectFields.by('projectId', project.id);
}

/** GitHub compares field names without case. */
export function fieldNamed(db: Tables, project: Project, name: string): ProjectField | undefined {
  return fieldsOf(db, project).find((field) => field.name.toLowerCase() === name.toLowerCase());
}

/** A project changes when its cards do. */
export function projectUpdatedAt(db: Tables, project: Project): number {
  const items = db.projectItems.by('projectId', project.id);
  return Math.max(project.createdAt, ...items.map((item) => item.updatedAt));
}

/** The issue or pull request on a card; `null` when the viewer may not know of it, and the card is shown blank. */
export function contentOf({ db, viewer }: Context, item: ProjectItem): Issue | null {
  const issue = db.issues.get(item.issueId);
  return issue !== undefined && canSee(db, viewer, db.repositories.must(issue.repositoryId)) ? issue : null;
}
