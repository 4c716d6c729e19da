import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';

/** A delivery without its id. Only the body is signed, so it is signed once. */
export interface Letter {
  readonly event: string;
  readonly body: Buffer;
  readonly signature: string;
}

export const SECRET = 'the secret of the benchmark';
/** The identity of the service under test. */
export const SELF = { accountId: 987_654_321, appId: 987_654 };

/** One delivery in this many is about us. */
export const ONE_IN = 100;

const EVENTS = ['check_run', 'check_suite', 'issue_comment', 'issues', 'pull_request', 'pull_request_review', 'status'];

interface Example {
  readonly name: string;
  readonly examples: readonly Record<string, unknown>[];
}

const seal = (event: string, payload: object): Letter => {
  const body = Buffer.from(JSON.stringify(payload));
  return { event, body, signature: `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}` };
};

/** Deliveries that do not concern us: payloads recorded from GitHub, of events we handle. */
export function irrelevantLetters(): readonly Letter[] {
  const all = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly Example[];
  return EVENTS.flatMap((event) =>
    (all.find(({ name }) => name === event)?.examples ?? []).map((payload) => seal(event, payload)),
  );
}

/** A delivery with an `/auto` comment. */
export function relevantLetter(): Letter {
  const all = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly Example[];
  const comments = all.find(({ name }) => name === 'issue_comment')?.examples ?? [];
  const created = comments.find(({ action }) => action === 'created') as { comment: object } | undefined;
  return seal('issue_comment', { ...created, comment: { ...created?.comment, body: '/auto' } });
}
