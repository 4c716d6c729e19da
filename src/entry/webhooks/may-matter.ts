import type { Self } from './events/payload-shapes.js';

type TextTest = (body: Buffer, self: Self) => boolean;

/** A work branch, however its slash is written. */
const namesWorkBranch: TextTest = (body) => body.includes('/issue-');

/** A label of ours, however its letters and its slash are written. */
const OUR_LABEL = /(?:phase|auto|size)\\?\//i;
/** Such a label, or an issue that is part of another or that others wait for. */
const OUR_ISSUE = /(?:phase|auto|size)\\?\/|"parent_issue_url"\s*:\s*"|"total_blocking"\s*:\s*[1-9]/i;

// As Latin-1 a body is not decoded: all that is looked for is ASCII.
const holds =
  (pattern: RegExp): TextTest =>
  (body) =>
    pattern.test(body.toString('latin1'));

/** For each webhook that the app listens to: what its text holds if it can matter. */
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

/** The webhooks that can matter; all others are nothing to us. */
export const HANDLED_EVENTS: readonly string[] = Object.keys(TEXT_TESTS);

/** Whether a delivery is worth parsing, judged by its text alone: most are about things Sluice has no part in. */
export function mayMatter(name: string, body: Buffer, self: Self): boolean {
  return Object.hasOwn(TEXT_TESTS, name) && TEXT_TESTS[name]?.(body, self) === true;
}
