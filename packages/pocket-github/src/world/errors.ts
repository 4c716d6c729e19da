/** Details of a 422, as GitHub lists them. */
export interface FieldError {
  readonly resource: string;
  readonly field?: string;
  readonly code: 'missing' | 'missing_field' | 'invalid' | 'already_exists' | 'unprocessable' | 'custom';
  readonly message?: string;
  readonly value?: string;
}

/** The `type` GraphQL errors carry. */
export type GraphqlErrorType =
  | 'NOT_FOUND'
  | 'FORBIDDEN'
  | 'UNPROCESSABLE'
  | 'VALIDATION'
  | 'STALE_DATA'
  | 'BRANCH_PROTECTION_RULE_VIOLATION'
  | 'INSUFFICIENT_SCOPES'
  | 'RATE_LIMITED'
  | 'MISSING_PAGINATION_BOUNDARIES'
  | 'EXCESSIVE_PAGINATION'
  | 'INVALID_PAGINATION'
  | 'INVALID_CURSOR_ARGUMENTS'
  | 'MAX_NODE_LIMIT_EXCEEDED';

/** A refusal GitHub would give. REST sends it as a status and body, GraphQL as an entry of `errors`. */
export class GitHubError extends Error {
  readonly status: number;
  readonly errors: readonly (FieldError | string)[] | undefined;
  readonly type: GraphqlErrorType;

  constructor(
    status: number,
    message: string,
    more: { errors?: readonly (FieldError | string)[]; type?: GraphqlErrorType } = {},
  ) {
    super(message);
    this.status = status;
    this.errors = more.errors;
    this.type = more.type ?? defaultType(status);
  }
}

function defaultType(status: number): GraphqlErrorType {
  if (status === 404) return 'NOT_FOUND';
  if (status === 401 || status === 403) return 'FORBIDDEN';
  return 'UNPROCESSABLE';
}

export const notFound = (message = 'Not Found') => new GitHubError(404, message);
export const badCredentials = () => new GitHubError(401, 'Bad credentials');
export const undecodableJwt = () => new GitHubError(401, 'A JSON web token could not be decoded');
export const requiresAuthentication = () => new GitHubError(401, 'Requires authentication');
export const forbidden = (message: string) => new GitHubError(403, message);
export const notAccessibleByIntegration = () => forbidden('Resource not accessible by integration');
export const conflict = (message: string) => new GitHubError(409, message);
export const unprocessable = (message: string) => new GitHubError(422, message);
export const validationFailed = (...errors: readonly (FieldError | string)[]) =>
  new GitHubError(422, 'Validation Failed', { errors });

/** Something real GitHub has and Pocket does not model. Never a GitHub answer: it must fail the test that touched it. */
export class UnmodelledError extends Error {
  readonly what: string;

  constructor(what: string) {
    super(`Pocket GitHub does not model ${what}`);
    this.what = what;
  }
}
