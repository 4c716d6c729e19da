import type { GraphQLResolveInfo } from 'graphql';
import { GitHubError } from '../world/errors.js';
import type { ConnectionArgs } from './connection.js';
import { selectedFields } from './selected-fields.js';

const MAX_PAGE = 100;

/** What a connection can tell without a page. */
const COUNTS = new Set(['__typename', 'totalCount', 'totalDiskUsage', 'totalSize']);

/**
 * GitHub's rules for pages, checked where the connection is resolved and not before: the error carries the path, the rest
 * of the answer stands, and a mutation whose payload breaks them has already happened.
 */
export function checkPaging(args: ConnectionArgs, info: GraphQLResolveInfo): void {
  const { first, last } = args;
  const name = info.fieldName;
  if (first == null && last == null) {
    if (selectedFields(info).every((field) => COUNTS.has(field))) return;
    throw new GitHubError(
      422,
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
      {
        type: 'MISSING_PAGINATION_BOUNDARIES',
      },
    );
  }
  if (first != null && last != null) {
    throw new GitHubError(
      422,
      `Passing both \`first\` and \`last\` to paginate the \`${name}\` connection is not supported.`,
      {
        type: 'INVALID_PAGINATION',
      },
    );
  }
  checkSize(name, 'first', first);
  checkSize(name, 'last', last);
}

function checkSize(connection: string, argument: 'first' | 'last', value: number | null | undefined): void {
  if (value == null) return;
  if (value > MAX_PAGE) {
    throw new GitHubError(
      422,
      `Requesting ${value} records on the \`${connection}\` connection exceeds the \`${argument}\` limit of ${MAX_PAGE} records.`,
      { type: 'EXCESSIVE_PAGINATION' },
    );
  }
  if (value < 0) {
    throw new GitHubError(422, `\`${argument}\` on the \`${connection}\` connection cannot be less than zero.`, {
      type: 'INVALID_PAGINATION',
    });
  }
}
