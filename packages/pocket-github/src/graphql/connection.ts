import { GitHubError } from '../world/errors.js';

export interface ConnectionArgs {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
  /** How many rows to leave out after the cursor; only timelines have it. */
  readonly skip?: number | null;
}

export interface Connection<T> {
  readonly nodes: readonly T[];
  readonly edges: readonly { readonly node: T; readonly cursor: string }[];
  readonly totalCount: number;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

const formatCursor = (position: number): string => Buffer.from(`cursor:v2:${position}`).toString('base64');

function parseCursor(cursor: string): number {
  const match = /^cursor:v2:([1-9]\d*)$/.exec(Buffer.from(cursor, 'base64').toString('utf8'));
  if (match === null) {
    throw new GitHubError(422, `\`${cursor}\` does not appear to be a valid cursor.`, {
      type: 'INVALID_CURSOR_ARGUMENTS',
    });
  }
  return Number(match[1]);
}

/**
 * Cuts a connection out of `rows`. That `first` or `last` is there and in bounds is checked before, for every connection
 * alike; without either only counts were asked for.
 * Cursors are positions: rows inserted before a cursor shift the page, as offset-backed connections on GitHub do.
 */
export function connection<T>(rows: readonly T[], args: ConnectionArgs): Connection<T> {
  const { start, end } = windowOf(rows.length, args);
  const edges = rows.slice(start, end).map((node, index) => ({ node, cursor: formatCursor(start + index + 1) }));
  return {
    nodes: edges.map((edge) => edge.node),
    edges,
    totalCount: rows.length,
    pageInfo: {
      hasNextPage: end < rows.length,
      hasPreviousPage: start > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** Where the page begins and ends: between the cursors, then the first or the last so many. */
function windowOf(length: number, args: ConnectionArgs): { readonly start: number; readonly end: number } {
  const from = Math.min(length, (args.after == null ? 0 : parseCursor(args.after)) + (args.skip ?? 0));
  const to = args.before == null ? length : Math.min(length, parseCursor(args.before) - 1);
  const until = Math.max(from, to);
  if (args.first != null) return { start: from, end: Math.min(until, from + args.first) };
  if (args.last != null) return { start: Math.max(from, until - args.last), end: until };
  return { start: from, end: from };
}
