import { nodeOf, unresolvedNode } from '../../graphql/nodes.js';
import type { Context } from '../../http/context.js';
import { canUseProject, demandProjects } from '../../identity/project-access.js';
import { actorOf } from '../../identity/viewer.js';
import { forbidden, GitHubError, UnmodelledError } from '../../world/errors.js';
import type { Issue, Project, ProjectField, ProjectItem, ProjectOption } from '../../world/model.js';
import { formatNodeId, parseNodeId } from '../../world/tables.js';
import { fieldNamed } from './cards.js';
import { seedProject, insertField } from './seed-project.js';
import { fieldNode } from './graphql-fields.js';
import { addItem, clearFieldValue, deleteItem, type GivenValue, setFieldValue } from './rules.js';

interface Input<T> {
  readonly input: T;
}

interface CardInput {
  readonly projectId: string;
  readonly itemId: string;
}

const refusal = (message: string) => new GitHubError(422, message, { type: 'VALIDATION' });

/** The project a mutation names, once the caller may change it. */
function projectIn(context: Context, nodeId: string, mutation: string): Project {
  demandProjects(context.viewer, 'write', mutation);
  const project = nodeOf(context, 'projects', nodeId);
  if (!canUseProject(context.db, context.viewer, project)) throw unresolvedNode(nodeId);
  return project;
}

function itemIn(context: Context, project: Project, nodeId: string): ProjectItem {
  const item = nodeOf(context, 'projectItems', nodeId);
  if (item.projectId !== project.id) throw unresolvedNode(nodeId);
  return item;
}

function fieldIn(context: Context, project: Project, nodeId: string): ProjectField {
  const field = nodeOf(context, 'projectFields', nodeId);
  if (field.projectId !== project.id) throw unresolvedNode(nodeId);
  return field;
}

/** Cards show issues and pull requests; anything else that has an id is refused by kind. */
function contentIn(context: Context, nodeId: string): Issue {
  const table = parseNodeId(nodeId)?.table;
  if (table === 'pulls') return context.world.tables.issues.must(nodeOf(context, 'pulls', nodeId).issueId);
  if (table === undefined || table === 'issues') return nodeOf(context, 'issues', nodeId);
  throw refusal('contentID must refer to an Issue or a Pull Request.');
}

interface FieldInput {
  readonly projectId: string;
  readonly dataType: 'DATE' | 'ITERATION' | 'NUMBER' | 'SINGLE_SELECT' | 'TEXT';
  readonly name: string;
  readonly singleSelectOptions?: readonly Omit<ProjectOption, 'id'>[] | null;
}

function createField(context: Context, input: FieldInput): ProjectField {
  const project = projectIn(context, input.projectId, 'createProjectV2Field');
  const { dataType: type, name, singleSelectOptions: options } = input;
  if (type === 'ITERATION') throw new UnmodelledError('Mutation.createProjectV2Field(dataType: ITERATION)');
  if (fieldNamed(context.db, project, name) !== undefined) throw refusal('Name has already been taken');
  if (type === 'SINGLE_SELECT' && (options ?? []).length === 0)
    throw refusal('Options are required for single select fields');
  return insertField(context.world, project, { name, type, ...(options == null ? {} : { options }) });
}

const cards = {
  addProjectV2ItemById: async (
    _: unknown,
    { input }: Input<{ projectId: string; contentId: string }>,
    context: Context,
  ) => {
    const project = projectIn(context, input.projectId, 'addProjectV2ItemById');
    return {
      item: await addItem(context.world, actorOf(context.viewer), project, contentIn(context, input.contentId)),
    };
  },
  deleteProjectV2Item: async (_: unknown, { input }: Input<CardInput>, context: Context) => {
    const item = itemIn(context, projectIn(context, input.projectId, 'deleteProjectV2Item'), input.itemId);
    await deleteItem(context.world, actorOf(context.viewer), item);
    return { deletedItemId: formatNodeId('projectItems', item.id) };
  },
  updateProjectV2ItemFieldValue: async (
    _: unknown,
    { input }: Input<CardInput & { fieldId: string; value: GivenValue }>,
    context: Context,
  ) => {
    const project = projectIn(context, input.projectId, 'updateProjectV2ItemFieldValue');
    const item = itemIn(context, project, input.itemId);
    const field = fieldIn(context, project, input.fieldId);
    return { projectV2Item: await setFieldValue(context.world, actorOf(context.viewer), item, field, input.value) };
  },
  clearProjectV2ItemFieldValue: async (
    _: unknown,
    { input }: Input<CardInput & { fieldId: string }>,
    context: Context,
  ) => {
    const project = projectIn(context, input.projectId, 'clearProjectV2ItemFieldValue');
    const item = itemIn(context, project, input.itemId);
    const field = fieldIn(context, project, input.fieldId);
    return { projectV2Item: await clearFieldValue(context.world, actorOf(context.viewer), item, field) };
  },
};

export const projectMutations = {
  ...cards,
  createProjectV2: (
    _: unknown,
    { input }: Input<{ ownerId: string; title: string; repositoryId?: string | null }>,
    context: Context,
  ) => {
    demandProjects(context.viewer, 'write', 'createProjectV2');
    const owner = nodeOf(context, 'users', input.ownerId);
    const repositories = input.repositoryId == null ? [] : [nodeOf(context, 'repositories', input.repositoryId)];
    if (!canUseProject(context.db, context.viewer, { ownerId: owner.id }))
      throw forbidden(`${owner.login} does not have permission to create projects`);
    return { projectV2: seedProject(context.world, { owner, title: input.title, repositories }) };
  },
  createProjectV2Field: (_: unknown, { input }: Input<FieldInput>, context: Context) => ({
    projectV2Field: fieldNode(createField(context, input)),
  }),
  linkProjectV2ToRepository: (
    _: unknown,
    { input }: Input<{ projectId: string; repositoryId: string }>,
    context: Context,
  ) => {
    const project = projectIn(context, input.projectId, 'linkProjectV2ToRepository');
    const repository = nodeOf(context, 'repositories', input.repositoryId);
    const repositoryIds = [...new Set([...project.repositoryIds, repository.id])];
    context.world.tables.projects.update(project, { repositoryIds });
    return { repository };
  },
};
