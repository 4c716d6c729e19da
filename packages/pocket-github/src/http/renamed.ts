import { canSee } from '../identity/access.js';
import { notFound } from '../world/errors.js';
import { findRepository, fullName } from '../world/lookup.js';
import type { Context } from './context.js';
import { json, type Reply } from './reply.js';
import type { RouteMatch } from './router.js';

/*
 * A repository keeps answering under its former names by a redirect to /repositories/{id}/…, where everything below
 * /repos/{owner}/{repo} can be had as well.
 */

/** `/repositories/{id}/rest` as id and the path of the same route by name. */
export function parseById(path: string): { readonly id: number; readonly path: string } | null {
  const match = /^\/repositories\/(\d+)(\/.*)?$/.exec(path);
  return match === null ? null : { id: Number(match[1]), path: `/repos/-/-${match[2] ?? ''}` };
}

/** The match with the repository's present names in place of its id. */
export function matchById(match: RouteMatch, id: number, { db }: Context): RouteMatch {
  const repository = db.repositories.get(id);
  if (repository === undefined) throw notFound();
  const [owner = '', repo = ''] = fullName(db, repository).split('/');
  return { route: match.route, params: { ...match.params, owner, repo } };
}

/** Where a request by a former name is sent, if it is one and its caller may know. Only GET moves for good. */
export function redirectIfRenamed(
  { params }: RouteMatch,
  method: string,
  path: string,
  search: string,
  context: Context,
): Reply | null {
  const { owner, repo } = params;
  if (owner === undefined || repo === undefined) return null;
  const repository = findRepository(context.db, owner, repo);
  if (repository === undefined || repository.name.toLowerCase() === repo.toLowerCase()) return null;
  if (!canSee(context.db, context.viewer, repository)) return null;
  const rest = path
    .split('/')
    .slice(4)
    .map((part) => `/${part}`)
    .join('');
  const url = `${context.urls.api}/repositories/${repository.id}${rest}${search}`;
  const permanent = method === 'GET' || method === 'HEAD';
  return json(
    permanent ? 301 : 307,
    { message: 'Moved Permanently', url, documentation_url: 'https://docs.github.com/rest' },
    { location: url },
  );
}
