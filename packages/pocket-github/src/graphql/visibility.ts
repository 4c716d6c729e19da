import type { Context } from '../http/context.js';
import { canSee } from '../identity/access.js';
import { canUseProject } from '../identity/project-access.js';
import { seesDraft } from '../identity/drafts.js';
import { tableOf } from '../world/lookup.js';
import type { Project } from '../world/model.js';
import type { Row } from '../world/table.js';
import type { TableName, Tables } from '../world/tables.js';

/** Whether the viewer may know of a record: those of a private repository only if the repository may be seen. */
export function isVisible(context: Context, table: TableName, row: Row): boolean {
  const project = projectOf(context.db, table, row);
  if (project !== undefined && !canUseProject(context.db, context.viewer, project)) return false;
  const repositoryId = repositoryIdOf(context.db, table, row);
  const repository = repositoryId === null ? undefined : context.db.repositories.get(repositoryId);
  if (!seesDraft(context.world.tables, context.viewer, table, row)) return false;
  return repository === undefined || canSee(context.db, context.viewer, repository);
}

function repositoryIdOf(db: Tables, table: TableName, row: Row): number | null {
  if (table === 'repositories') return row.id;
  if ('repositoryId' in row && typeof row.repositoryId === 'number') return row.repositoryId;
  // Reactions and edits belong to what they were made on, project items to the issue they show.
  if ('subjectId' in row && typeof row.subjectId === 'number') return repositoryIdOfId(db, row.subjectId);
  if ('issueId' in row && typeof row.issueId === 'number') return repositoryIdOfId(db, row.issueId);
  return null;
}

function repositoryIdOfId(db: Tables, id: number): number | null {
  const table = tableOf(db, id);
  return table === undefined ? null : repositoryIdOf(db, table, db[table].must(id));
}

/** The project a record is, or is part of. */
export function projectOf(db: Tables, table: TableName, row: Row): Project | undefined {
  if (table === 'projects') return db.projects.get(row.id);
  const id = 'projectId' in row && typeof row.projectId === 'number' ? row.projectId : null;
  return id === null ? undefined : db.projects.get(id);
}
