import { z } from 'zod';
import type { Instant } from '../../../ports/clock.js';
import { GitHubError, type GitHubProblem } from '../../../ports/github.js';

/* Translates GitHub's errors into ours, by codes and headers, never by message texts. */

/** An HTTP response, successful or not. */
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

/** Parses the data of a response. A truncated body fails. */
export function parseAnswer<T extends z.ZodType>(what: string, schema: T, data: unknown): z.infer<T> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw new GitHubError('transient', `${what}: the answer makes no sense: ${result.error.message}`);
}

const graphqlBodySchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(graphqlErrorSchema).nullish(),
});

/** The body of a GraphQL response, if it is one. */
export function graphqlBody(url: string, answer: Answer, now: Instant): object {
  // GraphQL itself never answers 404: the address is wrong. No issue may count as gone because of that.
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

/** The error for a refused request. */
export function refusalOf(what: string, answer: Answer, now: Instant): GitHubError {
  const message = `${what}: ${answer.status} ${messageIn(answer.data)}`;
  if (isRateLimited(answer)) return new GitHubError('rate-limited', message, limitedUntil(answer, now));
  return new GitHubError(problemOfStatus(answer.status), message, null, GAVE_UP.has(answer.status));
}

/** Statuses of a timeout at GitHub's front: sometimes an outage, more often a query that takes too long. */
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

/** When to retry, by our own clock. */
function limitedUntil({ headers, at }: Pick<Answer, 'headers' | 'at'>, now: Instant): Instant {
  const seconds = Number(headers['retry-after']);
  if (seconds > 0) return now + seconds * 1000;
  const reset = Number(headers['x-ratelimit-reset']) * 1000;
  return headers['x-ratelimit-remaining'] === '0' && reset > at ? now + (reset - at) : now + UNNAMED_WAIT_MS;
}

/** When the next request may be sent. */
export interface Limit {
  /** By our own clock. */
  readonly until: Instant;
  /** Whether GitHub itself named the time. */
  readonly named: boolean;
  /** Whether one hourly budget is used up. Otherwise every request has to wait. */
  readonly isBudget: boolean;
  readonly because: string;
}

/** The wait before the next request: this one was refused, or used up the hour's budget. */
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

/** GraphQL error types that are temporary; the others are about the query. */
const PASSING = new Set(['STALE_DATA', 'SERVICE_UNAVAILABLE', 'INTERNAL', 'TIMEOUT', 'LOADING', TOO_MUCH]);

/** Whether GitHub cut the answer because the query was too expensive. */
export const isTooMuch = ({ type }: GraphqlError): boolean => type === TOO_MUCH;

/** The problem of one entry of `errors`. Without type and code it is GitHub's own, most often a timeout. */
export function problemOf({ type, extensions }: GraphqlError): Exclude<GitHubProblem, 'rate-limited'> {
  if (type === 'NOT_FOUND') return 'not-found';
  if (type === 'FORBIDDEN' || type === 'INSUFFICIENT_SCOPES') return 'forbidden';
  if (type == null) return extensions?.['code'] === undefined ? 'transient' : 'permanent';
  return PASSING.has(type) ? 'transient' : 'permanent';
}

/** All errors of a document as one. It is transient only if every error is. */
export function graphqlFailure(what: string, errors: readonly GraphqlError[]): GitHubError {
  const first = errors.find((error) => problemOf(error) !== 'transient') ?? errors[0];
  const messages = [...new Set(errors.map(({ message }) => message))].join('; ');
  return new GitHubError(first === undefined ? 'transient' : problemOf(first), `${what}: ${messages}`);
}
