import { GitHubError } from '../../world/errors.js';
import type { Issue, Project, ProjectField, ProjectItem } from '../../world/model.js';
import type { Actor, World } from '../../world/world.js';

/** What a client sets a field to: exactly one member. */
export interface GivenValue {
  readonly singleSelectOptionId?: string | null;
  readonly text?: string | null;
  readonly number?: number | null;
  readonly date?: string | null;
}

type Value = string | number;

const refusal = (message: string) => new GitHubError(422, message, { type: 'VALIDATION' });

/** Puts a card on the board; an issue that is there already keeps the card it has. */
export async function addItem(world: World, actor: Actor, project: Project, issue: Issue): Promise<ProjectItem> {
  const known = world.tables.projectItems.by('projectId', project.id).find((item) => item.issueId === issue.id);
  if (known !== undefined) return known;
  const now = world.now();
  const item = world.tables.projectItems.insert({
    id: world.newId(),
    projectId: project.id,
    issueId: issue.id,
    archived: false,
    values: {},
    createdAt: now,
    updatedAt: now,
  });
  await world.record(actor, 'project item created', { subjectId: issue.id }, { itemId: item.id });
  return item;
}

export async function deleteItem(world: World, actor: Actor, item: ProjectItem): Promise<void> {
  world.tables.projectItems.delete(item.id);
  await world.record(actor, 'project item deleted', { subjectId: item.issueId }, { item });
}

/** Sets a field of a card. The issue on it does not change: its `updatedAt` stays. */
export async function setFieldValue(
  world: World,
  actor: Actor,
  item: ProjectItem,
  field: ProjectField,
  given: GivenValue,
): Promise<ProjectItem> {
  return changeValue(world, actor, item, field, valueFor(field, given));
}

export async function clearFieldValue(
  world: World,
  actor: Actor,
  item: ProjectItem,
  field: ProjectField,
): Promise<ProjectItem> {
  if (field.type === 'TITLE') throw refusal('The field of type title is currently not supported.');
  return changeValue(world, actor, item, field, null);
}

/** Writing what is there already is no change and moves no clock. */
async function changeValue(
  world: World,
  actor: Actor,
  item: ProjectItem,
  field: ProjectField,
  value: Value | null,
): Promise<ProjectItem> {
  const from = item.values[field.id] ?? null;
  if (from === value) return item;
  const { [field.id]: _, ...others } = item.values;
  const values = value === null ? others : { ...others, [field.id]: value };
  const next = world.tables.projectItems.update(item, { values, updatedAt: world.now() });
  await world.record(
    actor,
    'project item edited',
    { subjectId: item.issueId },
    { itemId: item.id, fieldId: field.id, from },
  );
  return next;
}

function valueFor(field: ProjectField, given: GivenValue): Value {
  if (field.type === 'SINGLE_SELECT') return optionFor(field, given.singleSelectOptionId);
  if (field.type === 'TEXT') return given.text ?? missing('a text value', field);
  if (field.type === 'NUMBER') return given.number ?? missing('a number value', field);
  if (field.type === 'DATE') return given.date ?? missing('a date value', field);
  throw refusal('The field of type title is currently not supported.');
}

function optionFor(field: ProjectField, id: string | null | undefined): string {
  const option = field.options.find((candidate) => candidate.id === id);
  if (option !== undefined) return option.id;
  if (id == null) return missing('a single select option Id', field);
  throw refusal('The single select option Id does not belong to the field');
}

function missing(what: string, field: ProjectField): never {
  throw refusal(`Did not receive ${what} to update a field of type ${field.type.toLowerCase()}`);
}
