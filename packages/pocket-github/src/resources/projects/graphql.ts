import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { accountNode, issueHalf, subjectNode } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { canSee } from '../../identity/access.js';
import { canUseProject, demandProjects } from '../../identity/project-access.js';
import { notFound } from '../../world/errors.js';
import type { Issue, Project, ProjectField, ProjectItem, Pull, Repository, User } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { contentOf, creatorOf, fieldNamed, fieldsOf, projectUpdatedAt, valueOf } from './cards.js';
import { fieldNode, fieldResolvers, valueNode } from './graphql-fields.js';
import { projectMutations } from './mutations.js';

interface ListArgs extends ConnectionArgs {
  readonly query?: string | null;
  readonly orderBy?: {
    readonly field: 'CREATED_AT' | 'NUMBER' | 'TITLE' | 'UPDATED_AT';
    readonly direction: 'ASC' | 'DESC';
  } | null;
}

function projectNumbered(context: Context, projects: readonly Project[], number: number): Project {
  demandProjects(context.viewer, 'read', 'projectV2');
  const project = projects.find((candidate) => candidate.number === number);
  if (project === undefined || !canUseProject(context.db, context.viewer, project))
    throw notFound(`Could not resolve to a ProjectV2 with the number ${number}.`);
  return project;
}

function listProjects(context: Context, projects: readonly Project[], args: ListArgs) {
  demandProjects(context.viewer, 'read', 'projectsV2');
  const { field, direction } = args.orderBy ?? { field: 'NUMBER', direction: 'DESC' };
  const key = (project: Project): number => {
    if (field === 'NUMBER') return project.number;
    return field === 'UPDATED_AT' ? projectUpdatedAt(context.db, project) : project.createdAt;
  };
  const wanted = args.query?.toLowerCase() ?? '';
  const ascending = projects
    .filter(
      (project) => canUseProject(context.db, context.viewer, project) && project.title.toLowerCase().includes(wanted),
    )
    .toSorted((a, b) => (field === 'TITLE' ? a.title.localeCompare(b.title) : key(a) - key(b)));
  return connection(direction === 'ASC' ? ascending : ascending.toReversed(), args);
}

/** `projectV2` and `projectsV2` of an account or a repository. */
const projectsOf = <T>(owned: (source: T, context: Context) => readonly Project[]) => ({
  projectV2: (source: T, { number }: { number: number }, context: Context) =>
    projectNumbered(context, owned(source, context), number),
  projectsV2: (source: T, args: ListArgs, context: Context) => listProjects(context, owned(source, context), args),
});

const ofAccount = projectsOf((account: User, { db }) => db.projects.by('ownerId', account.id));
const ofRepository = projectsOf((repository: Repository, { db }) =>
  db.projects.all().filter((project) => project.repositoryIds.includes(repository.id)),
);

function projectItems(
  subject: Issue | Pull,
  args: ConnectionArgs & { includeArchived?: boolean | null },
  context: Context,
) {
  demandProjects(context.viewer, 'read', 'projectItems');
  const { includeArchived } = args;
  const items = context.db.projectItems
    .by('issueId', issueHalf(context, subject).id)
    .filter((item) => canUseProject(context.db, context.viewer, context.db.projects.must(item.projectId)))
    .filter((item) => includeArchived !== false || !item.archived);
  return connection(items, args);
}

function pathOf(project: Project, { db }: Context): string {
  const owner = db.users.must(project.ownerId);
  return `/${owner.type === 'Organization' ? 'orgs' : 'users'}/${owner.login}/projects/${project.number}`;
}

const mayWrite = (project: Project, _: unknown, context: Context): boolean =>
  canUseProject(context.db, context.viewer, project);

const project = {
  id: (row: Project) => formatNodeId('projects', row.id),
  databaseId: (row: Project) => row.id,
  fullDatabaseId: (row: Project) => String(row.id),
  number: (row: Project) => row.number,
  title: (row: Project) => row.title,
  closed: (row: Project) => row.closed,
  public: () => false,
  template: () => false,
  shortDescription: () => null,
  readme: () => null,
  createdAt: (row: Project) => isoTime(row.createdAt),
  updatedAt: (row: Project, _: unknown, { db }: Context) => isoTime(projectUpdatedAt(db, row)),
  owner: (row: Project, _: unknown, context: Context) => accountNode(context, row.ownerId),
  resourcePath: (row: Project, _: unknown, context: Context) => pathOf(row, context),
  url: (row: Project, _: unknown, context: Context) => `${context.urls.html}${pathOf(row, context)}`,
  viewerCanUpdate: mayWrite,
  viewerCanClose: mayWrite,
  viewerCanReopen: mayWrite,
  field: (row: Project, { name }: { name: string }, { db }: Context) => fieldNode(fieldNamed(db, row, name)),
  fields: (row: Project, args: ConnectionArgs, { db }: Context) => connection(fieldsOf(db, row).map(fieldNode), args),
  items: (row: Project, args: ConnectionArgs, { db }: Context) =>
    connection(db.projectItems.by('projectId', row.id), args),
  repositories: (row: Project, args: ConnectionArgs, { db, viewer }: Context) => {
    const repositories = row.repositoryIds.flatMap((id) => db.repositories.get(id) ?? []);
    return connection(repositories.filter((repository) => canSee(db, viewer, repository)).toReversed(), args);
  },
};

/** The fields of a card that have something in them. */
function filledIn(context: Context, item: ProjectItem, fields: readonly ProjectField[]) {
  return fields.flatMap((field) => valueOf(item, field, contentOf(context, item)) ?? []).map(valueNode);
}

const item = {
  id: (row: ProjectItem) => formatNodeId('projectItems', row.id),
  databaseId: (row: ProjectItem) => row.id,
  fullDatabaseId: (row: ProjectItem) => String(row.id),
  createdAt: (row: ProjectItem) => isoTime(row.createdAt),
  updatedAt: (row: ProjectItem) => isoTime(row.updatedAt),
  creator: (row: ProjectItem, _: unknown, context: Context) => accountNode(context, creatorOf(context.db, row)),
  isArchived: (row: ProjectItem) => row.archived,
  project: (row: ProjectItem, _: unknown, { db }: Context) => db.projects.must(row.projectId),
  content: (row: ProjectItem, _: unknown, context: Context) => {
    const issue = contentOf(context, row);
    return issue === null ? null : subjectNode(context, issue.id);
  },
  type: (row: ProjectItem, _: unknown, context: Context) => {
    const issue = contentOf(context, row);
    if (issue === null) return 'REDACTED';
    return issue.pullId === null ? 'ISSUE' : 'PULL_REQUEST';
  },
  fieldValueByName: (row: ProjectItem, { name }: { name: string }, context: Context) => {
    const field = fieldNamed(context.db, context.db.projects.must(row.projectId), name);
    return field === undefined ? null : (filledIn(context, row, [field])[0] ?? null);
  },
  fieldValues: (row: ProjectItem, args: ConnectionArgs, context: Context) =>
    connection(filledIn(context, row, fieldsOf(context.db, context.db.projects.must(row.projectId))), args),
};

export const projectResolvers: ResolverMap = {
  User: ofAccount,
  Organization: ofAccount,
  Repository: ofRepository,
  Issue: { projectItems },
  PullRequest: { projectItems },
  ProjectV2: project,
  ProjectV2Item: item,
  ...fieldResolvers,
  Mutation: projectMutations,
};
