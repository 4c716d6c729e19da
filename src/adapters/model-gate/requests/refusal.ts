import type { ServerResponse } from 'node:http';

/** Why a request is not forwarded, in the API's own error format. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly why: string;
  /** Whether the same request may succeed a moment later. */
  readonly passes?: boolean;
  /** Whether the body was not read: then the connection cannot be reused. */
  readonly isUnread?: boolean;
}

const RETRY_AFTER_S = 2;

export const NOT_FOUND: Refusal = {
  status: 404,
  type: 'not_found_error',
  why: 'Only requests to the Messages API are passed on.',
  isUnread: true,
};

export const WRONG_TOKEN: Refusal = {
  status: 401,
  type: 'authentication_error',
  why: 'This is not the token of this run.',
  isUnread: true,
};

export const NO_LENGTH: Refusal = {
  status: 411,
  type: 'invalid_request_error',
  why: 'The request does not say how long it is: a content-length is needed.',
  isUnread: true,
};

export const TOO_LARGE: Refusal = {
  status: 413,
  type: 'request_too_large',
  why: 'Request exceeds the maximum size',
  isUnread: true,
};

export const LINE_FULL: Refusal = {
  status: 429,
  type: 'rate_limit_error',
  why: 'Too many requests of this run wait for their turn.',
  passes: true,
  isUnread: true,
};

export const NO_MEMORY: Refusal = {
  status: 429,
  type: 'rate_limit_error',
  why: 'Too many large requests are under way.',
  passes: true,
  isUnread: true,
};

export const LATE: Refusal = {
  status: 408,
  type: 'timeout_error',
  why: 'The request did not come to its end in time.',
  passes: true,
  isUnread: true,
};

export const NOT_JUDGED: Refusal = {
  status: 500,
  type: 'api_error',
  why: 'The request could not be checked. Please try again.',
  passes: true,
};

export const REFUSED_TOO_OFTEN: Refusal = {
  status: 403,
  type: 'permission_error',
  why: 'This run has asked too often for what is not allowed; nothing more of it is passed on.',
  isUnread: true,
};

/** Answers with a refusal. */
export function sendRefusal(response: ServerResponse, { status, type, why, passes, isUnread }: Refusal): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    // Tells the client not to retry when the answer would be the same.
    ...(passes === true ? { 'retry-after': String(RETRY_AFTER_S) } : { 'x-should-retry': 'false' }),
    ...(isUnread === true ? { connection: 'close' } : {}),
  });
  response.end(JSON.stringify({ type: 'error', error: { type, message: why } }));
}
