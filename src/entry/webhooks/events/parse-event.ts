import type { GitHubEvent } from '../../../domain/intent/github-event.js';
import { installation, installationRepositories, repository } from './access-events.js';
import { checkRun, checkSuite, status } from './check-events.js';
import { issueComment } from './comment-events.js';
import type { EventReader, Self } from './event-reader.js';
import { issues } from './issue-events.js';
import { pullRequest, pullRequestReview } from './pull-events.js';
import { issueDependencies, subIssues } from './relation-events.js';

/** Every webhook we listen to, as GitHub calls it. */
const READERS: Readonly<Record<string, EventReader>> = {
  check_run: checkRun,
  check_suite: checkSuite,
  installation,
  installation_repositories: installationRepositories,
  issue_comment: issueComment,
  issue_dependencies: issueDependencies,
  issues,
  pull_request: pullRequest,
  pull_request_review: pullRequestReview,
  repository,
  status,
  sub_issues: subIssues,
};

/** The names of the webhooks that can matter; all others are nothing to us. */
export const HANDLED_EVENTS: readonly string[] = Object.keys(READERS);

const readerOf = (name: string): EventReader | null => (Object.hasOwn(READERS, name) ? (READERS[name] ?? null) : null);

/** Whether a delivery is worth parsing, judged by its text alone: most are about things Sluice has no part in. */
export function mayMatter(name: string, body: Buffer, self: Self): boolean {
  const reader = readerOf(name);
  if (reader === null) return false;
  return reader.traces?.(self).some((trace) => body.includes(trace)) ?? true;
}

/** A webhook, parsed once. What does not matter to Sluice, or was caused by it, is `null`. */
export function parseGitHubEvent(name: string, payload: unknown, self: Self): GitHubEvent | null {
  return readerOf(name)?.read(payload, self) ?? null;
}
