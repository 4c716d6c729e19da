import { createHash } from 'node:crypto';
import type { Project, ProjectField, ProjectOption, Repository, User } from '../../world/model.js';
import type { World } from '../../world/world.js';

/** A field to give a project: with options it is a single select. */
export interface NewField {
  readonly name: string;
  readonly type?: Exclude<ProjectField['type'], 'TITLE'>;
  readonly options?: readonly (string | Omit<ProjectOption, 'id'>)[];
}

export interface NewProject {
  readonly owner: User;
  readonly title: string;
  readonly repositories?: readonly Repository[];
  /** Besides Title and Status, which every project has. */
  readonly fields?: readonly NewField[];
}

const STATUS: NewField = {
  name: 'Status',
  options: [
    { name: 'Todo', color: 'GREEN', description: "This item hasn't been started" },
    { name: 'In Progress', color: 'YELLOW', description: 'This is actively being worked on' },
    { name: 'Done', color: 'PURPLE', description: 'This has been completed' },
  ],
};

/** Makes a project with its fields. Numbers count per owner. */
export function seedProject(world: World, given: NewProject): Project {
  const siblings = world.tables.projects.by('ownerId', given.owner.id);
  const project = world.tables.projects.insert({
    id: world.newId(),
    ownerId: given.owner.id,
    number: 1 + Math.max(0, ...siblings.map((sibling) => sibling.number)),
    title: given.title,
    closed: false,
    repositoryIds: (given.repositories ?? []).map((repository) => repository.id),
    createdAt: world.now(),
  });
  world.tables.projectFields.insert({
    id: world.newId(),
    projectId: project.id,
    name: 'Title',
    type: 'TITLE',
    options: [],
  });
  for (const field of [STATUS, ...(given.fields ?? [])]) insertField(world, project, field);
  return project;
}

export function insertField(world: World, project: Project, given: NewField): ProjectField {
  const id = world.newId();
  const options = (given.options ?? []).map((option) =>
    typeof option === 'string' ? { name: option, color: 'GRAY', description: '' } : option,
  );
  return world.tables.projectFields.insert({
    id,
    projectId: project.id,
    name: given.name,
    type: given.type ?? (given.options === undefined ? 'TEXT' : 'SINGLE_SELECT'),
    options: options.map((option) => ({ ...option, id: optionId(id, option.name) })),
  });
}

/** Eight hex digits, as GitHub's. */
function optionId(fieldId: number, name: string): string {
  return createHash('sha256').update(`${fieldId} ${name}`).digest('hex').slice(0, 8);
}
