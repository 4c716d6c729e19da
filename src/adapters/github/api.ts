import { z } from 'zod';
import type { RepoRef } from '../../domain/ids.js';
import type { Clock, Instant } from '../../ports/clock.js';
import { GitHubError } from '../../ports/github.js';
import { type Answer, type GraphqlError, graphqlErrorSchema, limitedUntil, parsed, refusalOf } from './errors.js';
import { createSend } from './send.js';
import type { TokenSource } from './token-source.js';

export interface ApiOptions {
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  readonly tokens: TokenSource;
  readonly clock: Clock;
}

/** What a document brought back. Some of it may be there although other parts failed. */
export interface GraphqlAnswer {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly GraphqlError[];
  /** GitHub's clock. */
  readonly at: Instant;
}

/** GitHub's two APIs with the credential of a repository. */
export interface Api {
  rest(repo: RepoRef, route: string, parameters: Readonly<Record<string, unknown>>): Promise<unknown>;
  graphql(repo: RepoRef, document: string, variables: Readonly<Record<string, unknown>>): Promise<GraphqlAnswer>;
}

const bodySchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(graphqlErrorSchema).nullish(),
});

export function createApi({ apiUrl, graphqlUrl, tokens, clock }: ApiOptions): Api {
  const send = createSend({ apiUrl, clock });
  const ask = async (repo: RepoRef, route: string, parameters: Readonly<Record<string, unknown>>): Promise<Answer> => {
    const token = await tokens.tokenFor(repo);
    const first = await send({ route, parameters, authorization: `token ${token.text}` });
    // A credential that is not taken has done nothing, so that a new one may safely try the same.
    const again = first.status === 401 && tokens.refused(repo, token) ? await tokens.tokenFor(repo) : null;
    return again === null ? first : send({ route, parameters, authorization: `token ${again.text}` });
  };
  return {
    rest: async (repo, route, parameters) => {
      const answer = await ask(repo, route, parameters);
      if (answer.status >= 400) throw refusalOf(route, answer, clock.now());
      return answer.data;
    },
    graphql: async (repo, document, variables) => {
      const answer = await ask(repo, `POST ${graphqlUrl}`, { query: document, variables });
      // Nothing in GraphQL is missing by status: it is the address that is wrong, and no issue may pass for gone by that.
      if (answer.status === 404) throw new GitHubError('permanent', `there is no GraphQL API at ${graphqlUrl}`);
      if (answer.status >= 400) throw refusalOf('GraphQL', answer, clock.now());
      const body = parsed('GraphQL', bodySchema, answer.data);
      const errors = body.errors ?? [];
      const limit = errors.find(({ type }) => type === 'RATE_LIMITED');
      if (limit !== undefined)
        throw new GitHubError('rate-limited', `GraphQL: ${limit.message}`, limitedUntil(answer, clock.now()));
      return { data: body.data ?? null, errors, at: answer.at };
    },
  };
}
