import type { Context } from '../../http/context.js';
import { canSee } from '../../identity/access.js';
import { UnmodelledError } from '../../world/errors.js';
import type { Issue } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import { byOrder, type OrderDirection, type OrderField } from '../issues/listing/order.js';
import { testOf } from './qualifiers.js';
import { parseQuery, type Qualifier } from './query.js';

export interface SearchOrder {
  readonly field: OrderField;
  readonly direction: OrderDirection;
}

/** Several of these widen the search; every other qualifier narrows it. */
const isPlace = ({ key, excludes }: Qualifier): boolean => ['repo', 'user', 'org'].includes(key) && !excludes;

/** Issues and pull requests the viewer may see that fit the query. Best match is not modelled: newest first unless asked. */
export function searchIssues(context: Context, text: string, asked?: SearchOrder): Issue[] {
  const { db, viewer } = context;
  const { qualifiers, words } = parseQuery(text);
  const order = asked ?? orderIn(qualifiers.find(({ key }) => key === 'sort')?.value);
  const filters = qualifiers.filter(({ key }) => key !== 'sort');
  const places = filters.filter(isPlace).map((qualifier) => testOf(context, qualifier));
  const tests = filters.filter((qualifier) => !isPlace(qualifier)).map((qualifier) => testOf(context, qualifier));
  return db.issues
    .all()
    .filter((issue) => canSee(db, viewer, db.repositories.must(issue.repositoryId)))
    .filter((issue) => places.length === 0 || places.some((test) => test(issue)))
    .filter((issue) => tests.every((test) => test(issue)))
    .filter((issue) => words.every((word) => textOf(db, issue).includes(word)))
    .sort(byOrder(db, order.field, order.direction));
}

/** GitHub looks for free words in title, body and comments. */
function textOf(db: Tables, issue: Issue): string {
  const comments = db.comments.by('issueId', issue.id).map(({ body }) => body);
  return [issue.title, issue.body ?? '', ...comments].join('\n').toLowerCase();
}

function orderIn(sort: string | undefined): SearchOrder {
  const match = /^(created|updated|comments)(?:-(asc|desc))?$/.exec(sort ?? 'created');
  if (match === null) throw new UnmodelledError(`the search qualifier "sort:${sort}"`);
  return { field: match[1] as OrderField, direction: (match[2] ?? 'desc') as OrderDirection };
}
