import type { Context } from '../../http/context.js';
import { canSee } from '../../identity/access.js';
import { UnmodelledError, validationFailed } from '../../world/errors.js';
import { findRepository, findUser } from '../../world/lookup.js';
import type { Issue } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { Qualifier } from './query.js';

type Test = (issue: Issue) => boolean;

/** What a qualifier asks of an issue. */
export function testOf(context: Context, { key, value, excludes }: Qualifier): Test {
  const test = positiveTest(context, key, value);
  return excludes ? (issue) => !test(issue) : test;
}

function positiveTest(context: Context, key: string, value: string): Test {
  const { db } = context;
  switch (key) {
    case 'repo':
      return inRepository(context, value);
    case 'user':
    case 'org':
      return (issue) => db.repositories.must(issue.repositoryId).ownerId === findUser(db, value)?.id;
    case 'is':
    case 'type':
    case 'state':
      return ofKind(db, key, value);
    case 'label':
      return hasLabel(db, value);
    case 'author':
      return (issue) => issue.authorId === accountId(db, value);
    case 'assignee':
      return (issue) => issue.assigneeIds.includes(accountId(db, value) ?? -1);
    case 'review-requested':
      return (issue) =>
        issue.pullId !== null &&
        db.pulls.must(issue.pullId).requestedReviewerIds.includes(accountId(db, value) ?? viewerId(context, value));
    case 'archived':
      return (issue) => db.repositories.must(issue.repositoryId).archived === (value === 'true');
    case 'no':
      return without(value);
    default:
      throw new UnmodelledError(`the search qualifier "${key}:${value}"`);
  }
}

function inRepository({ db, viewer }: Context, value: string): Test {
  const [owner = '', name = ''] = value.split('/');
  const repository = findRepository(db, owner, name);
  if (repository !== undefined && canSee(db, viewer, repository))
    return (issue) => issue.repositoryId === repository.id;
  const message =
    'The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them.';
  throw validationFailed({ message, resource: 'Search', field: 'q', code: 'invalid' });
}

function ofKind(db: Tables, key: string, value: string): Test {
  switch (value) {
    case 'issue':
      return (issue) => issue.pullId === null;
    case 'pr':
    case 'pull-request':
      return (issue) => issue.pullId !== null;
    case 'open':
    case 'closed':
      return (issue) => issue.state === value;
    case 'merged':
      return (issue) => issue.pullId !== null && db.pulls.must(issue.pullId).mergedAt !== null;
    case 'locked':
      return (issue) => issue.locked;
    default:
      throw new UnmodelledError(`the search qualifier "${key}:${value}"`);
  }
}

/** `label:a,b` asks for either. */
function hasLabel(db: Tables, value: string): Test {
  const names = value.toLowerCase().split(',');
  return (issue) => issue.labelIds.some((id) => names.includes(db.labels.must(id).name.toLowerCase()));
}

/** `@me` is whoever asks. */
function viewerId({ viewer }: Context, value: string): number {
  return value === '@me' && 'user' in viewer ? viewer.user.id : -1;
}

/** `app/slug` is the bot account of an App. */
function accountId(db: Tables, value: string): number | undefined {
  const slug = /^app\/(.+)$/.exec(value)?.[1];
  return findUser(db, slug === undefined ? value : `${slug}[bot]`)?.id;
}

function without(value: string): Test {
  switch (value) {
    case 'label':
      return (issue) => issue.labelIds.length === 0;
    case 'assignee':
      return (issue) => issue.assigneeIds.length === 0;
    case 'milestone':
      return (issue) => issue.milestoneId === null;
    default:
      throw new UnmodelledError(`the search qualifier "no:${value}"`);
  }
}
