import { demand } from '../identity/access.js';
import {
  badCredentials,
  notFound,
  requiresAuthentication,
  GitHubError,
  undecodableJwt,
  UnmodelledError,
} from '../world/errors.js';
import { findRepository } from '../world/lookup.js';
import type { Repository } from '../world/model.js';
import type { Context } from './context.js';
import { redirectIfRenamed } from './renamed.js';
import type { Reply } from './reply.js';
import type { RestRequest, Route } from './route.js';
import type { RouteMatch } from './router.js';
import { parseStrictly } from './unmodelled-keys.js';

export interface RawRequest {
  readonly method: string;
  /** Below the API root. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Answers one REST request whose route is known. Throws `GitHubError` for GitHub's refusals. */
export async function answerRest(match: RouteMatch, raw: RawRequest, context: Context): Promise<Reply> {
  const { route, params } = match;
  const search = raw.query.size === 0 ? '' : `?${raw.query.toString()}`;
  const moved = redirectIfRenamed(match, raw.method, raw.path, search, context);
  if (moved !== null) return moved;
  const repository = admit(route, params, context);
  const request: RestRequest<unknown, unknown> = {
    context,
    params,
    query: parseStrictly(route.query, Object.fromEntries(raw.query), `query parameter of ${route.operation}`),
    body: parseStrictly(route.body, parseBody(raw), `body parameter of ${route.operation}`),
    headers: raw.headers,
  };
  return route.handle(request as RestRequest<never, never>, repository);
}

function admit(route: Route, params: Readonly<Record<string, string>>, context: Context): Repository {
  const { viewer, db } = context;
  const nobody = {} as Repository;
  if (route.access === 'anyone') return nobody;
  if (route.access === 'authenticated') {
    if (viewer.kind === 'anonymous') throw requiresAuthentication();
    if (viewer.kind === 'app') throw badCredentials();
    return nobody;
  }
  if (route.access === 'app-jwt') {
    if (viewer.kind !== 'app') throw undecodableJwt();
    return nobody;
  }
  const repository = findRepository(db, params['owner'] ?? '', params['repo'] ?? '');
  if (repository === undefined) throw notFound();
  demand(db, viewer, repository, route.access);
  return repository;
}

function parseBody(raw: RawRequest): Record<string, unknown> {
  if (raw.body.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(raw.body.toString('utf8'));
  } catch {
    throw new GitHubError(400, 'Problems parsing JSON');
  }
  if (Array.isArray(value)) return { __list: value };
  if (typeof value !== 'object' || value === null) throw new GitHubError(400, 'Body should be a JSON object');
  return value as Record<string, unknown>;
}

/** The body GitHub sends with a refusal. */
export function errorReply(error: unknown, documentation: string): Reply {
  if (error instanceof GitHubError) {
    const errors = error.errors === undefined ? {} : { errors: error.errors };
    return {
      status: error.status,
      headers: {},
      body: {
        json: { message: error.message, ...errors, documentation_url: documentation, status: String(error.status) },
      },
    };
  }
  if (error instanceof UnmodelledError) {
    return {
      status: 501,
      headers: {},
      body: { json: { message: error.message, documentation_url: documentation, status: '501' } },
    };
  }
  throw error;
}
