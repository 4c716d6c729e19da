/** Anthropic's error types by HTTP status, with the text the API is known to give. */
const ERRORS = {
  400: { type: 'invalid_request_error', message: 'The request is not valid.' },
  401: { type: 'authentication_error', message: 'invalid x-api-key' },
  402: { type: 'billing_error', message: 'There is an issue with your billing or payment information.' },
  403: { type: 'permission_error', message: 'Your API key does not have permission to use the specified resource.' },
  404: { type: 'not_found_error', message: 'Not Found' },
  413: { type: 'request_too_large', message: 'Request exceeds the maximum size' },
  429: { type: 'rate_limit_error', message: "This request would exceed your organization's rate limit." },
  500: { type: 'api_error', message: 'Internal server error' },
  504: { type: 'timeout_error', message: 'The request timed out while processing.' },
  529: { type: 'overloaded_error', message: 'Overloaded' },
} as const;

/** The statuses the API documents for failures. */
export type ErrorStatus = keyof typeof ERRORS;

export type ErrorType = (typeof ERRORS)[ErrorStatus]['type'];

export const ERROR_STATUSES = Object.keys(ERRORS).map(Number) as ErrorStatus[];
export const ERROR_TYPES = ERROR_STATUSES.map((status) => ERRORS[status].type);

export interface ApiError {
  readonly type: 'error';
  readonly error: { readonly type: ErrorType; readonly message: string };
  readonly request_id: string;
}

export function apiError(status: ErrorStatus, requestId: string, message: string | null = null): ApiError {
  const known = ERRORS[status];
  return { type: 'error', error: { type: known.type, message: message ?? known.message }, request_id: requestId };
}

/** The status a mid-stream error of this type has when the request was not streamed. */
export function statusOf(type: ErrorType): ErrorStatus {
  return ERROR_STATUSES.find((status) => ERRORS[status].type === type) ?? 500;
}
