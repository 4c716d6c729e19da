import { z } from 'zod';
import { findRepository } from '../world/lookup.js';
import type { Context } from './context.js';
import type { Reply } from './reply.js';

/** The two query parameters of every list. GitHub clamps silly values instead of refusing them. */
export const pageQuery = {
  per_page: z.coerce.number().int().catch(30).optional(),
  page: z.coerce.number().int().catch(1).optional(),
};

export interface PageQuery {
  readonly per_page?: number | undefined;
  readonly page?: number | undefined;
}

export interface Page<T> {
  readonly rows: readonly T[];
  readonly headers: Record<string, string>;
}

/** Cuts one page out of `rows` and writes the `Link` header to its neighbours. `path` is below the API root. */
export function paginate<T>(
  rows: readonly T[],
  query: PageQuery,
  context: Context,
  path: string,
  kept: Readonly<Record<string, string | number | boolean | null | undefined>> = {},
): Page<T> {
  const size = Math.min(100, Math.max(1, query.per_page ?? 30));
  const page = Math.max(1, query.page ?? 1);
  const last = Math.max(1, Math.ceil(rows.length / size));
  const link = (number: number, rel: string): string => {
    const search = new URLSearchParams();
    for (const [key, value] of Object.entries(kept)) if (value != null) search.set(key, String(value));
    search.set('per_page', String(size));
    search.set('page', String(number));
    return `<${context.urls.api}${pathById(context, path)}?${search.toString()}>; rel="${rel}"`;
  };
  const links: string[] = [];
  if (page > 1) links.push(link(Math.min(page - 1, last), 'prev'));
  if (page < last) links.push(link(page + 1, 'next'), link(last, 'last'));
  if (page > 1) links.push(link(1, 'first'));
  return {
    rows: rows.slice((page - 1) * size, page * size),
    headers: links.length === 0 ? {} : { link: links.join(', ') },
  };
}

/** GitHub links to a repository by its id: a link outlives a rename. */
function pathById({ db }: Context, path: string): string {
  const [, owner, name, rest] = /^\/repos\/([^/]+)\/([^/]+)(\/.*)$/.exec(path) ?? [];
  const repository = owner === undefined || name === undefined ? undefined : findRepository(db, owner, name);
  return repository === undefined ? path : `/repositories/${repository.id}${rest ?? ''}`;
}

/** A page of `rows` as the answer of a list route. */
export function listReply<T, U>(
  rows: readonly T[],
  query: PageQuery,
  context: Context,
  path: string,
  show: (row: T) => U,
): Reply<U[]> {
  const page = paginate(rows, query, context, path, { ...query, per_page: undefined, page: undefined });
  return { status: 200, headers: page.headers, body: { json: page.rows.map(show) } };
}
