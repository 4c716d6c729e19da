import type { Issue } from '../../../world/model.js';
import type { Tables } from '../../../world/tables.js';

export type OrderField = 'created' | 'updated' | 'comments';
export type OrderDirection = 'asc' | 'desc';

/** Compares issues as every list of them can be ordered; the older id decides between equals. */
export function byOrder(db: Tables, field: OrderField, direction: OrderDirection): (a: Issue, b: Issue) => number {
  const sign = direction === 'asc' ? 1 : -1;
  const key = (issue: Issue): number => {
    if (field === 'comments') return db.comments.by('issueId', issue.id).length;
    return field === 'updated' ? issue.updatedAt : issue.createdAt;
  };
  return (a, b) => sign * (key(a) - key(b) || a.id - b.id);
}
