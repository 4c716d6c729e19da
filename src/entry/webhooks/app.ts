import type { Probot } from 'probot';
import type { GitHubEvent } from '../../domain/intent/github-event.js';
import { readCheckRun, readCheckSuite, readStatus } from './events/check-events.js';
import { readChangedComment, readCommandComment } from './events/comment-events.js';
import { readLabelChange, readStateChange, readTextEdit, readTransfer } from './events/issue-events.js';
import type { EventReader, Self } from './events/payload-shapes.js';
import { readPullRequest } from './events/pull-events.js';
import { readDependency, readSubIssue } from './events/relation-events.js';

/** A webhook as Probot hands it to a listener. */
interface Webhook {
  /** GitHub's id of the delivery; a redelivery has the same. */
  readonly id: string;
  readonly payload: object;
}

export interface AppParts {
  /** Our own identity, to recognise our own events. */
  readonly self: Self;
  /** Stores an event until it was handled; nothing is handled while GitHub waits for the answer. */
  readonly enqueue: (event: GitHubEvent, webhook: Webhook) => Promise<unknown>;
}

/**
 * The Probot app: the one place where GitHub's events come in. Each payload is parsed here, once, into our own event. The
 * Octokit of its context is never used: it would retry and wait by rules of its own.
 */
export function sluiceApp({ self, enqueue }: AppParts): (app: Pick<Probot, 'on'>) => void {
  const parse = (read: EventReader) => async (webhook: Webhook) => {
    const event = read(webhook.payload, self);
    if (event !== null) await enqueue(event, webhook);
  };
  return (app) => {
    app.on('issue_comment.created', parse(readCommandComment));
    app.on(['issue_comment.edited', 'issue_comment.deleted'], parse(readChangedComment));

    app.on(['issues.labeled', 'issues.unlabeled'], parse(readLabelChange));
    app.on(['issues.closed', 'issues.reopened'], parse(readStateChange));
    app.on('issues.edited', parse(readTextEdit));
    app.on('issues.transferred', parse(readTransfer));
    app.on(['sub_issues.sub_issue_added', 'sub_issues.sub_issue_removed'], parse(readSubIssue));
    app.on(['issue_dependencies.blocked_by_added', 'issue_dependencies.blocked_by_removed'], parse(readDependency));

    app.on(['pull_request.closed', 'pull_request.reopened', 'pull_request.synchronize'], parse(readPullRequest));
    app.on(['pull_request.edited', 'pull_request.dequeued'], parse(readPullRequest));
    app.on(['pull_request.converted_to_draft', 'pull_request.ready_for_review'], parse(readPullRequest));
    app.on(['pull_request_review.submitted', 'pull_request_review.dismissed'], parse(readPullRequest));

    app.on('check_suite.completed', parse(readCheckSuite));
    app.on('check_run.completed', parse(readCheckRun));
    app.on('status', parse(readStatus));
  };
}

/** For `probot run build/src/entry/webhooks/app.js`: the whole service behind Probot's own server, configured by the environment. */
export default async function runByProbot(app: Probot): Promise<void> {
  // Loaded only here: `sluice serve` composes the service first, and then loads this app.
  const { startWorkerFromEnvironment } = await import('../cli/worker-from-environment.js');
  const { identity, inbox } = await startWorkerFromEnvironment();
  sluiceApp({ self: identity, enqueue: (event, { id }) => inbox.enqueue({ id, event }) })(app);
}
