import type { GitHubEvent } from '../domain/intent/github-event.js';

/** What a webhook told us. */
export interface Delivery {
  /** GitHub's own id of the webhook, the same when it is delivered again. */
  readonly id: string;
  readonly event: GitHubEvent;
}

/** Keeps deliveries from the answer to GitHub until they have been dealt with, whichever process dies in between. */
export interface Inbox {
  /** Durable when it resolves, in one round trip. A delivery known from the last three days is not kept again. Rejects soon when it cannot be kept. */
  enqueue(delivery: Delivery): Promise<'queued' | 'duplicate'>;
  /** Starts dealing with what is kept. What fails is tried again, a bounded number of times. */
  work(deal: (delivery: Delivery) => Promise<void>): Promise<void>;
  /** Resolves when nothing waits and nothing is being dealt with (what is to be tried again later apart). */
  idle(): Promise<void>;
  close(): Promise<void>;
}
