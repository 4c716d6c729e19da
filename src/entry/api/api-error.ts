import { GitHubError } from '../../ports/github.js';

/** The content of an error answer. */
interface Explanation {
  /** What happened. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
  /** All problems of the request, one sentence each. */
  readonly reasons?: readonly string[];
  /** The address of what blocks the request. */
  readonly location?: string;
}

/** A request that cannot be fulfilled. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly explanation: Explanation;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    { headers = {}, ...explanation }: Explanation & { readonly headers?: Readonly<Record<string, string>> },
  ) {
    super(explanation.message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.explanation = explanation;
    this.headers = headers;
  }
}

/** The error for a client; `null` when it is a defect of ours. */
export function asApiError(error: unknown, now: number): ApiError | null {
  if (error instanceof ApiError) return error;
  if (!(error instanceof GitHubError)) return null;
  const { problem, until, message } = error;
  const seconds = until === null ? 5 : Math.max(1, Math.ceil((until - now) / 1000));
  switch (problem) {
    case 'rate-limited':
    case 'transient':
    case 'outdated':
      return new ApiError(503, 'github-unavailable', {
        message: `GitHub does not answer as hoped: ${message}`,
        remedy: 'Ask again after the time in Retry-After.',
        headers: { 'retry-after': String(seconds) },
      });
    case 'not-found':
      return noSuchIssue();
    case 'no-commit':
      return new ApiError(409, 'no-commit', {
        message: 'The repository has no commit yet, so there is nothing to work from.',
        remedy: 'Push a commit to it, then ask again.',
      });
    case 'forbidden':
    case 'permanent':
      return new ApiError(502, 'github-refused', {
        message: `GitHub refused: ${message}`,
        remedy: 'See what the App may do in this repository, and whether it is installed there.',
      });
  }
}

export const noSuchIssue = (): ApiError =>
  new ApiError(404, 'no-such-issue', {
    message: 'There is no such issue, or the App cannot see it.',
    remedy: 'Check owner, repository and number, and that the App is installed there.',
  });
