import type { ConnectionArgs } from '../../../graphql/connection.js';
import { isSince } from '../../../http/time-parameter.js';
import { UnmodelledError } from '../../../world/errors.js';
import { findLabel, findUser } from '../../../world/lookup.js';
import type { Issue, Repository } from '../../../world/model.js';
import type { Tables } from '../../../world/tables.js';
import { findMilestone } from '../../milestones/rules.js';
import { byOrder } from './order.js';

interface IssueFilters {
  readonly assignee?: string | null;
  readonly createdBy?: string | null;
  readonly labels?: readonly string[] | null;
  readonly mentioned?: string | null;
  readonly milestone?: string | null;
  readonly milestoneNumber?: string | null;
  readonly since?: string | null;
  readonly states?: readonly string[] | null;
  readonly viewerSubscribed?: boolean | null;
}

/** Arguments of `Repository.issues`. */
export interface IssuesArgs extends ConnectionArgs {
  readonly states?: readonly string[] | null;
  readonly labels?: readonly string[] | null;
  readonly filterBy?: IssueFilters | null;
  readonly orderBy?: {
    readonly field: 'CREATED_AT' | 'UPDATED_AT' | 'COMMENTS';
    readonly direction: 'ASC' | 'DESC';
  } | null;
}

/** A repository's issues, never its pull requests; oldest first unless `orderBy` says otherwise. */
export function filterIssues(db: Tables, repository: Repository, args: IssuesArgs): Issue[] {
  const { states, labels, filterBy } = args;
  refuseUnmodelled(filterBy ?? {});
  const hasLabel = (issue: Issue, name: string) =>
    issue.labelIds.includes(findLabel(db, repository.id, name)?.id ?? -1);
  const fits = (issue: Issue): boolean =>
    issue.pullId === null &&
    (states?.includes(issue.state.toUpperCase()) ?? true) &&
    (labels?.some((name) => hasLabel(issue, name)) ?? true) &&
    (filterBy == null || passes(db, repository, issue, filterBy, hasLabel));
  return db.issues.by('repositoryId', repository.id).filter(fits).sort(orderOf(db, args.orderBy));
}

function refuseUnmodelled({ viewerSubscribed, milestone }: IssueFilters): void {
  if (viewerSubscribed === true) throw new UnmodelledError('IssueFilters.viewerSubscribed');
  if (milestone !== undefined) throw new UnmodelledError('IssueFilters.milestone');
}

function passes(
  db: Tables,
  repository: Repository,
  issue: Issue,
  filter: IssueFilters,
  hasLabel: (issue: Issue, name: string) => boolean,
): boolean {
  const milestoneId = (text: string) => findMilestone(db, repository.id, Number(text))?.id;
  return (
    (filter.states?.includes(issue.state.toUpperCase()) ?? true) &&
    (filter.labels?.every((name) => hasLabel(issue, name)) ?? true) &&
    (filter.createdBy == null || issue.authorId === findUser(db, filter.createdBy)?.id) &&
    isAmong(filter.assignee, issue.assigneeIds, (login) => findUser(db, login)?.id) &&
    isAmong(filter.milestoneNumber, issue.milestoneId === null ? [] : [issue.milestoneId], milestoneId) &&
    (filter.mentioned == null || isMentioned(db, issue, filter.mentioned)) &&
    isSince(issue.updatedAt, filter.since)
  );
}

/** By `@login` in the text of the issue or of a comment. */
function isMentioned(db: Tables, issue: Issue, login: string): boolean {
  const name = login.replaceAll(/[^\w-]/g, '').toLowerCase();
  const mention = new RegExp(`(^|[^\\w/-])@${name}(?![\\w-])`, 'i');
  const texts = [issue.body ?? '', ...db.comments.by('issueId', issue.id).map(({ body }) => body)];
  return texts.some((text) => mention.test(text));
}

/** `*` asks for any, an explicit `null` for none. */
function isAmong(
  asked: string | null | undefined,
  ids: readonly number[],
  idOf: (text: string) => number | undefined,
): boolean {
  if (asked === undefined) return true;
  if (asked === null) return ids.length === 0;
  if (asked === '*') return ids.length > 0;
  return ids.includes(idOf(asked) ?? -1);
}

const ORDER_FIELDS = { CREATED_AT: 'created', UPDATED_AT: 'updated', COMMENTS: 'comments' } as const;

function orderOf(db: Tables, orderBy: IssuesArgs['orderBy']): (a: Issue, b: Issue) => number {
  return byOrder(db, ORDER_FIELDS[orderBy?.field ?? 'CREATED_AT'], orderBy?.direction === 'DESC' ? 'desc' : 'asc');
}
