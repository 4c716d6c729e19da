import type { Endpoints } from '@octokit/types';
import type { z } from 'zod';
import type { Need } from '../identity/access.js';
import type { Repository } from '../world/model.js';
import type { Context } from './context.js';
import type { Reply } from './reply.js';

/** Every REST operation GitHub publishes, e.g. `GET /repos/{owner}/{repo}/labels`. */
export type Operation = keyof Endpoints;

/** What GitHub's published types say this operation answers: a route that forgets a required field does not compile. */
export type Answer<O extends Operation> = Endpoints[O]['response']['data'];

export interface RestRequest<Q, B> {
  readonly context: Context;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Who may call: a repository need (checked before the handler), any identity, or an App's own JWT. */
export type RouteAccess = Need | 'anyone' | 'authenticated' | 'app-jwt';

export interface Route {
  readonly operation: Operation;
  readonly access: RouteAccess;
  readonly query: z.ZodObject | null;
  readonly body: z.ZodObject | null;
  readonly handle: (request: RestRequest<never, never>, repository: Repository) => Promise<Reply> | Reply;
}

/**
 * Declares one REST route. Query and body schemas are strict: a parameter we do not model answers 501 by name.
 * For a repository need, `repository` is the one named in the path, already found and permitted.
 */
export function route<
  O extends Operation,
  Q extends z.ZodObject = z.ZodObject<Record<string, never>>,
  B extends z.ZodObject = z.ZodObject<Record<string, never>>,
>(
  operation: O,
  definition: {
    readonly access: RouteAccess;
    readonly query?: Q;
    readonly body?: B;
    readonly handle: (
      request: RestRequest<z.infer<Q>, z.infer<B>>,
      repository: Repository,
    ) => Promise<Reply<Answer<O>>> | Reply<Answer<O>>;
  },
): Route {
  return {
    operation,
    access: definition.access,
    query: definition.query ?? null,
    body: definition.body ?? null,
    handle: definition.handle,
  };
}
