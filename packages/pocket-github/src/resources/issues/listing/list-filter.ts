import { z } from 'zod';
import { pageQuery } from '../../../http/pagination.js';
import { isSince, timeParameter } from '../../../http/time-parameter.js';
import { findLabel, findUser } from '../../../world/lookup.js';
import type { Issue, Repository } from '../../../world/model.js';
import type { Tables } from '../../../world/tables.js';
import { typesOf } from '../../issue-types/rules.js';
import { findMilestone } from '../../milestones/rules.js';
import { byOrder } from './order.js';

/** What `GET …/issues` can be asked for. `*` is any, `none` is none. */
export const listQuery = z.object({
  ...pageQuery,
  state: z.enum(['open', 'closed', 'all']).optional(),
  labels: z.string().optional(),
  assignee: z.string().optional(),
  creator: z.string().optional(),
  milestone: z.string().optional(),
  type: z.string().optional(),
  since: timeParameter.optional(),
  sort: z.enum(['created', 'updated', 'comments']).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
});
export type ListQuery = z.infer<typeof listQuery>;

/** The issues and pull requests of a repository that a query asks for, newest first unless it says otherwise. */
export function listIssues(db: Tables, repository: Repository, query: ListQuery): Issue[] {
  const wanted = labelIdsIn(db, repository, query.labels);
  if (wanted === null) return [];
  const fits = (issue: Issue): boolean =>
    (query.state === 'all' || issue.state === (query.state ?? 'open')) &&
    wanted.every((id) => issue.labelIds.includes(id)) &&
    (query.creator === undefined || issue.authorId === findUser(db, query.creator)?.id) &&
    isOneOf(query.assignee, issue.assigneeIds, (login) => findUser(db, login)?.id) &&
    isOneOf(query.milestone, listOf(issue.milestoneId), (text) => findMilestone(db, repository.id, Number(text))?.id) &&
    isOneOf(query.type, listOf(issue.typeId), (name) => typeNamed(db, repository, name)) &&
    isSince(issue.updatedAt, query.since);
  return db.issues
    .by('repositoryId', repository.id)
    .filter(fits)
    .sort(byOrder(db, query.sort ?? 'created', query.direction ?? 'desc'));
}

const listOf = (id: number | null): readonly number[] => (id === null ? [] : [id]);

function isOneOf(
  asked: string | undefined,
  ids: readonly number[],
  idOf: (text: string) => number | undefined,
): boolean {
  if (asked === undefined) return true;
  if (asked === '*') return ids.length > 0;
  if (asked === 'none') return ids.length === 0;
  const id = idOf(asked);
  return id !== undefined && ids.includes(id);
}

function typeNamed(db: Tables, repository: Repository, name: string): number | undefined {
  return typesOf(db, repository).find((type) => type.name.toLowerCase() === name.toLowerCase())?.id;
}

/** All the labels must be on an issue; a label that does not exist is on none. */
function labelIdsIn(db: Tables, repository: Repository, labels: string | undefined): number[] | null {
  const names = (labels ?? '').split(',').filter((name) => name !== '');
  const ids = names.map((name) => findLabel(db, repository.id, name)?.id);
  return ids.includes(undefined) ? null : ids.filter((id) => id !== undefined);
}
