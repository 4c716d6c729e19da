import type { Octokit } from '@octokit/rest';
import type { Instant } from '../../../../ports/clock.js';
import type { Answer } from '../errors.js';
import type { Share } from '../rate-limits.js';

/** A request as Octokit's hooks see it: the endpoint's template, and its parameters beside it. */
export type RequestOptions = Required<Octokit['request']['endpoint']['DEFAULTS']>;
export type Response = Awaited<ReturnType<Octokit['request']>>;

export type Send = (options: RequestOptions) => Promise<Response>;

/** One thing that holds for every request: sends it on, or a changed copy, or not. Refusals are responses in here, not exceptions. */
export type Rule = (send: Send, options: RequestOptions) => Promise<Response>;

/** Proves to GitHub who asks. */
export interface Authorization {
  /** The value of the header; `null` asks as nobody. */
  readonly header: string | null;
  /** Whose limits the request counts against; `null` when we need not count it. */
  readonly rateLimitKey: string | null;
  /** Told of the first answer. Says whether to ask once more, with a new authorization. */
  shouldRetry(answer: Answer): boolean;
}

/** What the rules have to know of a request. */
export interface RequestContext {
  readonly authorize: () => Promise<Authorization>;
  /** How many things it leaves behind; without, every REST request but GET leaves one. */
  readonly writes?: number;
  /** By our own steady clock: later it is not sent, and the error is `outdated`. */
  readonly notAfter?: Instant;
  /** What it may use of an installation's writes; without, all there are. */
  readonly share?: Share;
  /** What has a place in line while there is no room, see `Call`. */
  readonly about?: string;
  /** Replaces the GraphQL document at the moment it leaves. */
  readonly late?: LateDocument;
  /** Called with GitHub's answer: `octokit.graphql` returns the data alone. */
  readonly onAnswer?: (answer: Answer) => void;
}

/** A mutation that is put together at the moment it leaves. */
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
  // Octokit's types do not ask for it, and without it a request would leave as nobody's.
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

/** As nobody, or with a header that is what it is: if it is not taken, there is no other. */
export const requestAs = (header: string | null): RequestParameter => ({
  context: { authorize: () => Promise.resolve({ header, rateLimitKey: null, shouldRetry: never }) },
});
