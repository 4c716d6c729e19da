import { type FieldError, validationFailed } from './errors.js';

const MAX_BODY = 65_536;
const MAX_TITLE = 256;

/** Whose text it is; GitHub words the refusal of a comment differently from that of an issue. */
export type TextOwner = 'Issue' | 'IssueComment' | 'PullRequestReview' | 'PullRequestReviewComment';

/** Refuses a body over 65,536 characters, with GitHub's words. Pull request bodies are `Issue` bodies. */
export function checkBody(owner: TextOwner, body: string | null | undefined): void {
  if (body != null && isLongerThan(body, MAX_BODY)) throw validationFailed(bodyTooLong(owner));
}

/** Refuses a title that is blank or over 256 characters. */
export function checkTitle(title: string): void {
  if (title.trim() === '') throw validationFailed({ resource: 'Issue', code: 'missing_field', field: 'title' });
  if (!isLongerThan(title, MAX_TITLE)) return;
  const message = `title is too long (maximum is ${MAX_TITLE} characters)`;
  throw validationFailed({ resource: 'Issue', code: 'custom', field: 'title', message });
}

/** Counts code points, as GitHub does; texts whose UTF-16 units already fit need no counting. */
export function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit && Array.from(text).length > limit;
}

function bodyTooLong(owner: TextOwner): FieldError {
  const rest = `is too long (maximum is ${MAX_BODY} characters)`;
  return owner === 'Issue'
    ? { resource: owner, code: 'custom', field: 'body', message: `body ${rest}` }
    : { resource: owner, code: 'unprocessable', field: 'data', message: `Body ${rest}` };
}
