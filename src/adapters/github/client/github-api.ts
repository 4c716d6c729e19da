import { z } from 'zod';
import type { RepoRef } from '../../../domain/issue/ids.js';
import type { Clock, Instant } from '../../../ports/clock.js';
import { GitHubError } from '../../../ports/github.js';
import { type Answer, type GraphqlError, graphqlErrorSchema, limitedUntil, parseAnswer, refusalOf } from './errors.js';
import type { Call, RateLimits, Share } from './rate-limits.js';
import { createSend } from './send.js';
import type { AccessToken, TokenSource } from '../auth/token-source.js';

export interface GitHubApiOptions {
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  readonly tokens: TokenSource;
  readonly clock: Clock;
  readonly limits: RateLimits;
}

type Parameters = Readonly<Record<string, unknown>>;

/** What a document brought back. Some of it may be there although other parts failed. */
export interface GraphqlAnswer {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly GraphqlError[];
  /** GitHub's clock. */
  readonly at: Instant;
}

/** The same, and our own steady clock before anything was sent. */
export interface TimedAnswer extends GraphqlAnswer {
  readonly askedAt: Instant;
}

/** What is to be known of a mutation before it leaves. */
export interface WriteOptions {
  /** How many new things it leaves behind; each counts as a write, and every mutation as one at least. */
  readonly creations?: number;
  /** By our own steady clock: later it is not sent, and the error is `outdated`. */
  readonly notAfter?: Instant;
  /** What it may use of an installation's writes; without, what work may. */
  readonly share?: Share;
  /** The issue it is about: that is what has a place in line while there is no room. */
  readonly about?: string;
}

/** A mutation that is put together at the moment it leaves. */
export type LateDocument = () => { readonly query: string; readonly variables: Parameters };

/** GitHub's two APIs with the credential of a repository. Nothing is ever sent twice by itself. */
export interface GitHubApi {
  rest(repo: RepoRef, route: string, parameters: Parameters): Promise<unknown>;
  graphql(repo: RepoRef, document: string, variables: Parameters, writing?: WriteOptions): Promise<TimedAnswer>;
  /** One write whose content is decided when there is room for it: whatever has gathered until then goes along. */
  mutateLate(repo: RepoRef, document: LateDocument, writing: WriteOptions): Promise<TimedAnswer>;
}

/** Asks with whatever credential is right, and once more with a new one if it is not taken. */
export type ApiRequest = (route: string, parameters: Parameters | (() => Parameters), call: Call) => Promise<Answer>;

const bodySchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(graphqlErrorSchema).nullish(),
});

export function createGitHubApi({ apiUrl, graphqlUrl, tokens, clock, limits }: GitHubApiOptions): GitHubApi {
  const requestWith = createApiRequest({ apiUrl, clock, limits });
  const requestFor = (repo: RepoRef): ApiRequest =>
    requestWith({
      token: async () => {
        const token = await tokens.tokenFor(repo);
        limits.assignKey(token.rateLimitKey, repo);
        return token;
      },
      refused: (token) => tokens.refused(repo, token),
    });
  const post = async (
    repo: RepoRef,
    body: Parameters | (() => Parameters),
    writes: number,
    { notAfter = Infinity, share = 'work', about }: WriteOptions,
  ): Promise<TimedAnswer> => {
    const askedAt = clock.steady();
    const call = { budget: 'graphql', writes, notAfter, share, ...(about === undefined ? {} : { about }) } as const;
    const answer = await requestFor(repo)(`POST ${graphqlUrl}`, body, call);
    return { ...graphqlAnswer(graphqlUrl, answer, clock.now()), askedAt };
  };
  return {
    rest: async (repo, route, parameters) => {
      const writes = route.startsWith('GET ') ? 0 : 1;
      const answer = await requestFor(repo)(route, parameters, { budget: 'core', writes });
      if (answer.status >= 400) throw refusalOf(route, answer, clock.now());
      return answer.data;
    },
    graphql: (repo, query, variables, writing = {}) => {
      const writes = /^\s*mutation\b/.test(query) ? Math.max(1, writing.creations ?? 1) : 0;
      return post(repo, { query, variables }, writes, writing);
    },
    mutateLate: (repo, document, writing) => post(repo, document, 1, writing),
  };
}

/** Where a credential comes from. */
export interface Credential {
  token(): Promise<AccessToken>;
  /** It was not taken. Answers whether there may be another one. */
  refused(token: AccessToken): boolean;
}

export function createApiRequest({
  apiUrl,
  clock,
  limits,
}: Pick<GitHubApiOptions, 'apiUrl' | 'clock' | 'limits'>): (credential: Credential) => ApiRequest {
  const send = createSend({ apiUrl, clock });
  return (credential) => async (route, parameters, call) => {
    const { notAfter = Infinity } = call;
    const sendWith = ({ text, rateLimitKey }: AccessToken): Promise<Answer> =>
      limits.through(rateLimitKey, call, () => {
        const sent = typeof parameters === 'function' ? parameters() : parameters;
        return send({ route, parameters: sent, authorization: `token ${text}`, notAfter });
      });
    const token = await credential.token();
    const first = await sendWith(token);
    // A credential that is not taken has done nothing, so that a new one may safely try the same.
    return first.status === 401 && credential.refused(token) ? sendWith(await credential.token()) : first;
  };
}

/** What a GraphQL endpoint said, if it was an answer. */
export function graphqlAnswer(url: string, answer: Answer, now: Instant): GraphqlAnswer {
  // Nothing in GraphQL is missing by status: it is the address that is wrong, and no issue may pass for gone by that.
  if (answer.status === 404) throw new GitHubError('permanent', `there is no GraphQL API at ${url}`);
  if (answer.status >= 400) throw refusalOf('GraphQL', answer, now);
  const body = parseAnswer('GraphQL', bodySchema, answer.data);
  const errors = body.errors ?? [];
  const limit = errors.find(({ type }) => type === 'RATE_LIMITED');
  if (limit !== undefined)
    throw new GitHubError('rate-limited', `GraphQL: ${limit.message}`, limitedUntil(answer, now));
  return { data: body.data ?? null, errors, at: answer.at };
}
