import type { Self } from './events/payload-shapes.js';

type TextTest = (body: Buffer, self: Self) => boolean;

/** A work branch, however its slash is written. */
const namesWorkBranch: TextTest = (body) => body.includes('/issue-');

/** A label of ours, however its letters and its slash are written. */
const OUR_LABEL = /(?:phase|auto|size)\\?\//i;
/** Such a label, or an issue that is part of another or that others wait for. */
const OUR_ISSUE = /(?:phase|auto|size)\\?\/|"parent_issue_url"\s*:\s*"|"total_blocking"\s*:\s*[1-9]/i;

// Latin-1 needs no decoding, and everything searched for is ASCII.
const holds =
  (pattern: RegExp): TextTest =>
  (body) =>
    pattern.test(body.toString('latin1'));

/** For each handled event: whether its text can concern us. */
const TEXT_TESTS: Readonly<Record<string, TextTest>> = {
  check_run: namesWorkBranch,
  check_suite: namesWorkBranch,
  issue_comment: (body, { accountId }) => body.includes('/auto') || body.includes(String(accountId)),
  issue_dependencies: holds(OUR_LABEL),
  issues: holds(OUR_ISSUE),
  pull_request: namesWorkBranch,
  pull_request_review: namesWorkBranch,
  status: namesWorkBranch,
  sub_issues: holds(OUR_LABEL),
};

/** The events we handle. */
export const HANDLED_EVENTS: readonly string[] = Object.keys(TEXT_TESTS);

/** Whether a delivery is worth parsing, by its text alone: most do not concern Sluice. */
export function mayMatter(name: string, body: Buffer, self: Self): boolean {
  return Object.hasOwn(TEXT_TESTS, name) && TEXT_TESTS[name]?.(body, self) === true;
}
