import { z } from 'zod';
import type { Instant } from '../../../ports/clock.js';
import type { ModelTrouble } from '../../../ports/model-gate.js';
import { parseJson } from '../parse-json.js';

/** The parts of an API answer that show a trouble. */
export interface ReadAnswer {
  readonly at: Instant;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What was received of it. */
  readonly body: string;
}

/** The API's error format. */
export const apiError = z.object({ type: z.string().catch(''), message: z.string().catch('') });
export type ApiError = z.infer<typeof apiError>;
const errorBody = z.object({ error: apiError });

/* The API has no error types for these; the texts are the only sign. They come from the API, never from a model. */
const PROMPT_TOO_LONG = /^(prompt is too long|input length and .max_tokens. exceed)/i;
const LONG_CONTEXT_NOT_PAID = /required for long context requests/i;
const CREDIT_TOO_LOW = /credit balance is too low/i;
const SPEND_LIMIT = /reached your specified (?:\w+ )?API usage limits/i;
const REGAIN_ACCESS = /regain access on (\d{4}-\d\d-\d\d) at (\d\d:\d\d) UTC/i;

/** Longer messages are cut, because people read them. */
const LONGEST_MESSAGE = 300;

/** The trouble an answer shows; `null` when there is none, or only with this one request. */
export function readTrouble(answer: ReadAnswer): ModelTrouble | null {
  if (answer.status >= 200 && answer.status < 300) return null;
  return judge(answer, errorOf(answer.body));
}

/** The trouble of an error in the middle of a stream. */
export function readStreamError(at: Instant, error: ApiError): ModelTrouble | null {
  const status = STATUS_OF_TYPE[error.type] ?? 500;
  return judge({ at, status, headers: {}, body: '' }, error);
}

const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  overloaded_error: 529,
};

function judge(answer: ReadAnswer, error: ApiError): ModelTrouble | null {
  const { status } = answer;
  const why = `${status} ${error.type} ${error.message}`.trim().slice(0, LONGEST_MESSAGE);
  if (error.type === 'billing_error' || status === 402) return { kind: 'billing', why };
  if (status === 401 || status === 403) return { kind: 'auth', why };
  if (status === 404) return { kind: 'model-missing', why };
  if (status === 413) return { kind: 'context-overflow' };
  if (status === 429) return judgeTooMany(answer, error, why);
  if (status === 400) return judgeBadRequest(answer.at, error, why);
  // 408, and everything that is not from the API: a redirect or a proxy's page.
  return status < 400 || status === 408 || status >= 500 ? { kind: 'provider-down', why } : null;
}

function judgeBadRequest(at: Instant, { message }: ApiError, why: string): ModelTrouble | null {
  if (PROMPT_TOO_LONG.test(message)) return { kind: 'context-overflow' };
  if (CREDIT_TOO_LOW.test(message)) return { kind: 'billing', why };
  if (SPEND_LIMIT.test(message)) return { kind: 'quota', until: spendLimitReset(at, message) };
  return null;
}

function spendLimitReset(at: Instant, message: string): Instant | null {
  const [, day, time] = REGAIN_ACCESS.exec(message) ?? [];
  return day === undefined ? null : laterThan(at, Date.parse(`${day}T${time}:00Z`));
}

/** A subscription is used up only if the API says `rejected`; any other 429 is temporary. */
function judgeTooMany(answer: ReadAnswer, { message }: ApiError, why: string): ModelTrouble {
  if (LONG_CONTEXT_NOT_PAID.test(message)) return { kind: 'context-overflow' };
  const retryAfterMs = retryAfterOf(answer);
  if (headerOf(answer, `${UNIFIED}-status`) !== 'rejected') return { kind: 'throttled', retryAfterMs, why };
  const reset = laterThan(answer.at, instantOf(headerOf(answer, `${UNIFIED}-reset`)));
  return { kind: 'quota', until: reset ?? (retryAfterMs === null ? null : answer.at + retryAfterMs) };
}

const UNIFIED = 'anthropic-ratelimit-unified';
/** The rate limits of an API key. */
const LIMITS = ['requests', 'tokens', 'input-tokens', 'output-tokens'].map((name) => `anthropic-ratelimit-${name}`);

/** From `retry-after`, or until the last exhausted limit resets. */
function retryAfterOf(answer: ReadAnswer): number | null {
  const asked = headerOf(answer, 'retry-after');
  const seconds = asked === undefined || asked.trim() === '' ? Number.NaN : Number(asked);
  if (seconds >= 0) return Math.round(seconds * 1000);
  const dates = [
    asked,
    ...LIMITS.filter((name) => headerOf(answer, `${name}-remaining`) === '0').map((name) =>
      headerOf(answer, `${name}-reset`),
    ),
  ];
  const resets = dates.map((date) => laterThan(answer.at, instantOf(date))).filter((reset) => reset !== null);
  return resets.length === 0 ? null : Math.max(...resets) - answer.at;
}

/** Parses seconds or milliseconds since the epoch, told apart by size, or a date. */
function instantOf(text: string | undefined): Instant {
  if (text === undefined) return Number.NaN;
  if (!/^\d+(\.\d+)?$/.test(text)) return Date.parse(text);
  const number = Number(text);
  return number > 1e11 ? number : number * 1000;
}

const laterThan = (now: Instant, time: Instant): Instant | null => (time > now ? time : null);

function headerOf({ headers }: ReadAnswer, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

function errorOf(body: string): ApiError {
  return errorBody.safeParse(parseJson(body)).data?.error ?? { type: '', message: '' };
}
