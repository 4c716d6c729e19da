import type { Context } from '../../http/context.js';
import { unprocessable } from '../../world/errors.js';
import type { Oid, Repository } from '../../world/model.js';
import { resolveExpression } from '../git-data/expression.js';

/** The commit a client names by branch, tag, `heads/…`, `tags/…` or (the start of) its id. */
export async function commitNamed(context: Context, repository: Repository, reference: string): Promise<Oid> {
  const found = await resolveExpression(context, repository, `${reference}^{commit}`);
  if (found === null) throw unprocessable(`No commit found for SHA: ${reference}`);
  return found.oid;
}
