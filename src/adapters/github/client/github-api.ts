import type { Octokit } from '@octokit/rest';
import type { RepoRef } from '../../../domain/issue/ids.js';
import type { Instant } from '../../../ports/clock.js';
import { authorizeWithToken } from '../auth/authorize-with-token.js';
import type { TokenSource } from '../auth/token-source.js';
import { type GraphqlAnswer, sendGraphql } from './graphql.js';
import { createOctokit, type OctokitOptions } from './octokit.js';
import type { RateLimits, Share } from './rate-limits.js';
import type { LateDocument, RequestContext, RequestParameter } from './rules/rule.js';

export interface GitHubApiOptions extends OctokitOptions {
  readonly tokens: TokenSource;
  readonly limits: RateLimits;
}

/** An answer, and our steady clock before the request was sent. */
export interface TimedAnswer extends GraphqlAnswer {
  readonly askedAt: Instant;
}

/** Options of a mutation. */
export interface WriteOptions {
  /** How many things it creates; each counts as a write, and every mutation as at least one. */
  readonly creations?: number;
  /** By our steady clock. After this it is not sent, and the error is `outdated`. */
  readonly notAfter?: Instant;
  /** The share of the installation's writes it may use; `work` by default. */
  readonly share?: Share;
  /** The issue it is about, which gets a slot when there is no room. */
  readonly about?: string;
}

/** GitHub's two APIs with a repository's credential. Nothing is retried. */
export interface GitHubApi {
  /** The REST API. Each call names its credential: `rest.issues.get({ …, request: api.requestFor(repo) })`. */
  readonly rest: Octokit['rest'];
  requestFor(repo: RepoRef): RequestParameter;
  graphql(
    repo: RepoRef,
    document: string,
    variables: Readonly<Record<string, unknown>>,
    writing?: WriteOptions,
  ): Promise<TimedAnswer>;
  /** A write whose content is built when there is room for it, with everything collected until then. */
  mutateLate(repo: RepoRef, document: LateDocument, writing: WriteOptions): Promise<TimedAnswer>;
}

export function createGitHubApi(options: GitHubApiOptions): GitHubApi {
  const { tokens, clock, limits } = options;
  const octokit = createOctokit(options);
  const requestFor = (repo: RepoRef): RequestParameter => ({
    context: {
      authorize: authorizeWithToken({
        token: async () => {
          const token = await tokens.tokenFor(repo);
          limits.assignKey(token.rateLimitKey, repo);
          return token;
        },
        refused: (token) => tokens.refused(repo, token),
      }),
    },
  });
  const send = async (
    repo: RepoRef,
    document: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> },
    context: Omit<RequestContext, 'authorize'>,
  ): Promise<TimedAnswer> => {
    const askedAt = clock.steady();
    const { authorize } = requestFor(repo).context;
    const answer = await sendGraphql(octokit, document.query, document.variables, {
      share: 'work',
      ...context,
      authorize,
    });
    return { ...answer, askedAt };
  };
  return {
    rest: octokit.rest,
    requestFor,
    graphql: (repo, query, variables, { creations = 1, ...writing } = {}) => {
      const writes = /^\s*mutation\b/.test(query) ? Math.max(1, creations) : 0;
      return send(repo, { query, variables }, { ...writing, writes });
    },
    mutateLate: (repo, late, writing) => send(repo, { query: '', variables: {} }, { ...writing, writes: 1, late }),
  };
}
