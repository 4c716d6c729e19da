import type { Octokit } from '@octokit/rest';
import type { Instant } from '../../../../ports/clock.js';
import type { Answer } from '../errors.js';
import type { Share } from '../rate-limits.js';

/** A request as Octokit's hooks see it: the endpoint's template and its parameters. */
export type RequestOptions = Required<Octokit['request']['endpoint']['DEFAULTS']>;
export type Response = Awaited<ReturnType<Octokit['request']>>;

export type Send = (options: RequestOptions) => Promise<Response>;

/**
 * A rule for every request: it sends the request on, changed or not, or refuses it. Refusals by GitHub are responses here, not exceptions.
 */
export type Rule = (send: Send, options: RequestOptions) => Promise<Response>;

/** A credential for one request. */
export interface Authorization {
  /** The value of the header; `null` for an anonymous request. */
  readonly header: string | null;
  /** The key of the limits it counts against; `null` when it need not be counted. */
  readonly rateLimitKey: string | null;
  /** Called with the first response. Returns whether to retry with a new authorization. */
  shouldRetry(answer: Answer): boolean;
}

/** What the rules need to know about a request. */
export interface RequestContext {
  readonly authorize: () => Promise<Authorization>;
  /** How many things it creates. By default every REST request except GET creates one. */
  readonly writes?: number;
  /** By our steady clock. After this it is not sent, and the error is `outdated`. */
  readonly notAfter?: Instant;
  /** The share of the installation's writes it may use; all by default. */
  readonly share?: Share;
  /** What gets a slot when there is no room, see `Call`. */
  readonly about?: string;
  /** Builds the GraphQL document when it is sent. */
  readonly late?: LateDocument;
  /** Called with GitHub's answer: `octokit.graphql` returns the data alone. */
  readonly onAnswer?: (answer: Answer) => void;
}

/** A mutation that is built when it is sent. */
export type LateDocument = () => {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

/** What every call of an endpoint gets as `request`. */
export interface RequestParameter {
  readonly context: RequestContext;
}

export function contextOf({ request, method, url }: RequestOptions): RequestContext {
  const { context } = request as Partial<RequestParameter>;
  // Octokit's types do not require it, and without it the request would be anonymous.
  if (context === undefined) throw new Error(`${method} ${url} was called without \`request\``);
  return context;
}

/** Method and template, as GitHub's documentation names an endpoint. */
export const routeOf = ({ method, url }: RequestOptions): string => `${method} ${url}`;

export const isGraphql = ({ url }: RequestOptions): boolean => url.endsWith('/graphql');

/** A response as our own type. `sendOnce` sees to the date. */
export function answerOf({ status, headers, data }: Response): Answer {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { status, headers: Object.fromEntries(texts), data, at: Date.parse(headers.date ?? '') };
}

const never = (): boolean => false;

/** An anonymous request, or one with a fixed header. If it is refused there is no retry. */
export const requestAs = (header: string | null): RequestParameter => ({
  context: { authorize: () => Promise.resolve({ header, rateLimitKey: null, shouldRetry: never }) },
});
