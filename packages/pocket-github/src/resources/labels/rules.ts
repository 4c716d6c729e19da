import { validationFailed } from '../../world/errors.js';
import { findLabel } from '../../world/lookup.js';
import type { Issue, Label, Repository } from '../../world/model.js';
import { isLongerThan } from '../../world/text-limits.js';
import type { Actor, World } from '../../world/world.js';

export interface NewLabel {
  readonly name: string;
  readonly color?: string | undefined;
  readonly description?: string | null | undefined;
}

export interface LabelChange {
  readonly name?: string | undefined;
  readonly color?: string | undefined;
  readonly description?: string | null | undefined;
}

/** GitHub's grey for labels that came into being by being put on an issue. */
const DEFAULT_COLOR = 'ededed';

export async function createLabel(world: World, actor: Actor, repository: Repository, given: NewLabel): Promise<Label> {
  checkLabel(given);
  if (findLabel(world.tables, repository.id, given.name) !== undefined) {
    throw validationFailed({ resource: 'Label', code: 'already_exists', field: 'name' });
  }
  const now = world.now();
  const label = world.tables.labels.insert({
    id: world.newId(),
    repositoryId: repository.id,
    name: given.name,
    color: given.color?.toLowerCase() ?? DEFAULT_COLOR,
    description: given.description ?? null,
    default: false,
    createdAt: now,
    updatedAt: now,
  });
  await world.record(actor, 'label created', { repositoryId: repository.id }, { labelId: label.id });
  return label;
}

export async function updateLabel(world: World, actor: Actor, label: Label, change: LabelChange): Promise<Label> {
  checkLabel(change);
  const other = change.name === undefined ? undefined : findLabel(world.tables, label.repositoryId, change.name);
  if (other !== undefined && other.id !== label.id) {
    throw validationFailed({ resource: 'Label', code: 'already_exists', field: 'name' });
  }
  const name = change.name ?? label.name;
  const color = change.color?.toLowerCase() ?? label.color;
  const description = change.description === undefined ? label.description : change.description;
  if (name === label.name && color === label.color && description === label.description) return label;
  const next = world.tables.labels.update(label, { name, color, description, updatedAt: world.now() });
  await world.record(
    actor,
    'label edited',
    { repositoryId: label.repositoryId },
    {
      labelId: label.id,
      ...(next.name === label.name ? {} : { name: label.name }),
      ...(next.color === label.color ? {} : { color: label.color }),
      ...(next.description === label.description ? {} : { description: label.description ?? '' }),
    },
  );
  return next;
}

/** Deleting a label takes it off every issue without an `unlabeled` event each, as on GitHub. */
export async function deleteLabel(world: World, actor: Actor, label: Label): Promise<void> {
  for (const issue of world.tables.issues.by('repositoryId', label.repositoryId)) {
    if (!issue.labelIds.includes(label.id)) continue;
    world.tables.issues.update(issue, { labelIds: issue.labelIds.filter((id) => id !== label.id) });
  }
  world.tables.labels.delete(label.id);
  const { name, color, description } = label;
  await world.record(
    actor,
    'label deleted',
    { repositoryId: label.repositoryId },
    { labelId: label.id, name, color, description },
  );
}

/** Puts labels on an issue; those it has already are left alone and cause no event. */
export async function addLabels(world: World, actor: Actor, issue: Issue, labels: readonly Label[]): Promise<Issue> {
  for (const label of labels) {
    const current = world.tables.issues.must(issue.id);
    if (current.labelIds.includes(label.id)) continue;
    world.tables.issues.update(current, { labelIds: [...current.labelIds, label.id], updatedAt: world.now() });
    const { name, color } = label;
    await world.record(actor, 'labeled', subjectOf(issue), { labelId: label.id, name, color });
  }
  return world.tables.issues.must(issue.id);
}

export async function removeLabels(world: World, actor: Actor, issue: Issue, labels: readonly Label[]): Promise<Issue> {
  for (const label of labels) {
    const current = world.tables.issues.must(issue.id);
    if (!current.labelIds.includes(label.id)) continue;
    const labelIds = current.labelIds.filter((id) => id !== label.id);
    world.tables.issues.update(current, { labelIds, updatedAt: world.now() });
    const { name, color } = label;
    await world.record(actor, 'unlabeled', subjectOf(issue), { labelId: label.id, name, color });
  }
  return world.tables.issues.must(issue.id);
}

/** Makes the issue's labels exactly these. */
export async function setLabels(world: World, actor: Actor, issue: Issue, labels: readonly Label[]): Promise<Issue> {
  const wanted = new Set(labels.map((label) => label.id));
  const surplus = issue.labelIds.filter((id) => !wanted.has(id)).map((id) => world.tables.labels.must(id));
  await removeLabels(world, actor, issue, surplus);
  return addLabels(world, actor, issue, labels);
}

/** The repository's labels by these names; unknown names become labels, as GitHub's REST API does. */
export async function labelsByName(
  world: World,
  actor: Actor,
  repository: Repository,
  names: readonly string[],
): Promise<Label[]> {
  const labels: Label[] = [];
  for (const name of names) {
    labels.push(
      findLabel(world.tables, repository.id, name) ?? (await createLabel(world, actor, repository, { name })),
    );
  }
  return labels;
}

const subjectOf = (issue: Issue) => ({ repositoryId: issue.repositoryId, subjectId: issue.id });

/** GitHub's limits: a name of 1 to 50 characters, a description of at most 100, six hexadecimal digits without `#`. */
function checkLabel({ name, color, description }: LabelChange): void {
  if (name?.trim() === '') throw validationFailed({ resource: 'Label', code: 'missing_field', field: 'name' });
  if (isLongerThan(name ?? '', 50)) throw tooLong('name', 50);
  if (isLongerThan(description ?? '', 100)) throw tooLong('description', 100);
  if (color === undefined || /^[0-9a-f]{6}$/i.test(color)) return;
  throw validationFailed({ resource: 'Label', code: 'invalid', field: 'color' });
}

function tooLong(field: string, limit: number) {
  const message = `${field} is too long (maximum is ${limit} characters)`;
  return validationFailed({ resource: 'Label', code: 'custom', field, message });
}
