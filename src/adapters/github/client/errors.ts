import { z } from 'zod';
import type { Instant } from '../../../ports/clock.js';
import { GitHubError, type GitHubProblem } from '../../../ports/github.js';

/* Where everything GitHub can say is sorted into what it means for us. By codes and headers, never by its sentences. */

/** An HTTP answer, good or bad. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: unknown;
  /** GitHub's clock when it answered. */
  readonly at: Instant;
}

/** One entry of `errors` of a GraphQL answer. */
export const graphqlErrorSchema = z.object({
  message: z.string(),
  type: z.string().nullish(),
  path: z.array(z.union([z.string(), z.number()])).nullish(),
  extensions: z.record(z.string(), z.unknown()).nullish(),
});
export type GraphqlError = z.infer<typeof graphqlErrorSchema>;

/** The data of an answer, if it has the shape it ought to have. A body that was cut off on its way has not. */
export function parseAnswer<T extends z.ZodType>(what: string, schema: T, data: unknown): z.infer<T> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw new GitHubError('transient', `${what}: the answer makes no sense: ${result.error.message}`);
}

const graphqlBodySchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(graphqlErrorSchema).nullish(),
});

/** What a GraphQL endpoint said, if it was an answer. */
export function graphqlBody(url: string, answer: Answer, now: Instant): object {
  // Nothing in GraphQL is missing by status: it is the address that is wrong, and no issue may pass for gone by that.
  if (answer.status === 404) throw new GitHubError('permanent', `there is no GraphQL API at ${url}`);
  if (answer.status >= 400) throw refusalOf('GraphQL', answer, now);
  const { data = null, errors } = parseAnswer('GraphQL', graphqlBodySchema, answer.data);
  const limit = errors?.find(({ type }) => type === 'RATE_LIMITED');
  if (limit !== undefined)
    throw new GitHubError('rate-limited', `GraphQL: ${limit.message}`, limitedUntil(answer, now));
  return { data, errors };
}

/** GitHub asks for at least a minute when it names no time. */
const UNNAMED_WAIT_MS = 60_000;

/** The error a refusing answer stands for. */
export function refusalOf(what: string, answer: Answer, now: Instant): GitHubError {
  const message = `${what}: ${answer.status} ${messageIn(answer.data)}`;
  if (isRateLimited(answer)) return new GitHubError('rate-limited', message, limitedUntil(answer, now));
  return new GitHubError(problemOfStatus(answer.status), message, null, GAVE_UP.has(answer.status));
}

/** GitHub's front gave up waiting: now and then an outage, more often a question that takes too long. */
const GAVE_UP = new Set([502, 504]);

function problemOfStatus(status: number): GitHubProblem {
  if (status === 404 || status === 410) return 'not-found';
  if (status === 401 || status === 403 || status === 451) return 'forbidden';
  return status >= 500 || status === 408 || status === 409 ? 'transient' : 'permanent';
}

function isRateLimited({ status, headers, data }: Answer): boolean {
  if (status === 429) return true;
  if (status === 200)
    return errorTypesSchema.safeParse(data).data?.errors.some(({ type }) => type === 'RATE_LIMITED') === true;
  if (status !== 403) return false;
  const hasLimitHeader = headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0';
  return hasLimitHeader || /rate-limit/.test(bodySchema.safeParse(data).data?.documentation_url ?? '');
}

/** When to ask again, by our own clock. */
function limitedUntil({ headers, at }: Pick<Answer, 'headers' | 'at'>, now: Instant): Instant {
  const seconds = Number(headers['retry-after']);
  if (seconds > 0) return now + seconds * 1000;
  const reset = Number(headers['x-ratelimit-reset']) * 1000;
  return headers['x-ratelimit-remaining'] === '0' && reset > at ? now + (reset - at) : now + UNNAMED_WAIT_MS;
}

/** What an answer says about asking on. */
export interface Limit {
  /** By our own clock. */
  readonly until: Instant;
  /** Whether GitHub itself named the time. */
  readonly named: boolean;
  /** Whether it is the hour's budget that is used up; else everything has to wait. */
  readonly isBudget: boolean;
  readonly because: string;
}

/** Whether the next request has to wait: this one was one too many, or the last of the hour. */
export function limitOf(answer: Answer, now: Instant): Limit | null {
  const { headers } = answer;
  const until = limitedUntil(answer, now);
  const isSpent = headers['x-ratelimit-remaining'] === '0';
  if (isSpent) {
    const resource = headers['x-ratelimit-resource'] ?? 'API';
    return { until, named: true, isBudget: true, because: `its ${resource} requests of this hour are used up` };
  }
  if (!isRateLimited(answer)) return null;
  const named = Number(headers['retry-after']) > 0;
  return { until, named, isBudget: false, because: 'GitHub found it asked too much at once (secondary rate limit)' };
}

const errorTypesSchema = z.object({ errors: z.array(z.object({ type: z.string().nullish() })) });
const bodySchema = z.object({ message: z.string().optional(), documentation_url: z.string().optional() });

function messageIn(data: unknown): string {
  return bodySchema.safeParse(data).data?.message ?? 'without a message';
}

const TOO_MUCH = 'RESOURCE_LIMITS_EXCEEDED';

/** GraphQL's types that are about the moment; the others it names are about the question. */
const PASSING = new Set(['STALE_DATA', 'SERVICE_UNAVAILABLE', 'INTERNAL', 'TIMEOUT', 'LOADING', TOO_MUCH]);

/** Whether GitHub cut the answer because the question cost too much. */
export const isTooMuch = ({ type }: GraphqlError): boolean => type === TOO_MUCH;

/** What an entry of `errors` means. Without a type and a code it is GitHub's own trouble, most often a time-out. */
export function problemOf({ type, extensions }: GraphqlError): Exclude<GitHubProblem, 'rate-limited'> {
  if (type === 'NOT_FOUND') return 'not-found';
  if (type === 'FORBIDDEN' || type === 'INSUFFICIENT_SCOPES') return 'forbidden';
  if (type == null) return extensions?.['code'] === undefined ? 'transient' : 'permanent';
  return PASSING.has(type) ? 'transient' : 'permanent';
}

/** All that went wrong in a document as one error; what may pass by itself decides only when nothing else went wrong. */
export function graphqlFailure(what: string, errors: readonly GraphqlError[]): GitHubError {
  const first = errors.find((error) => problemOf(error) !== 'transient') ?? errors[0];
  const messages = [...new Set(errors.map(({ message }) => message))].join('; ');
  return new GitHubError(first === undefined ? 'transient' : problemOf(first), `${what}: ${messages}`);
}
