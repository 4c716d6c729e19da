import type { GitHubEvent } from '../domain/intent/github-event.js';

/** The content of a webhook. */
export interface Delivery {
  /** GitHub's own id of the webhook, the same when it is delivered again. */
  readonly id: string;
  readonly event: GitHubEvent;
}

/** Stores deliveries from the answer to GitHub until they are handled, even if processes die in between. */
export interface Inbox {
  /** Durable when it resolves, in one round trip. A delivery of the last three days is not stored again. Rejects quickly when it cannot be stored. */
  enqueue(delivery: Delivery): Promise<'queued' | 'duplicate'>;
  /** Starts handling stored deliveries. Failed ones are tried again, up to a limit. */
  work(deal: (delivery: Delivery) => Promise<void>): Promise<void>;
  /** Resolves when nothing waits and nothing is being handled, except for later retries. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
