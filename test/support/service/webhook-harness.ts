import { createHmac } from 'node:crypto';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openBullmqInbox } from '../../../src/adapters/queue/bullmq-inbox.js';
import type { GitHubEvent } from '../../../src/domain/intent/github-event.js';
import { createReceiver, type ReceiveWebhook } from '../../../src/entry/webhooks/receive-webhook.js';
import { startServer } from '../../../src/entry/service/server.js';
import { createWebhookHandler, WEBHOOKS_PATH } from '../../../src/entry/webhooks/webhook-handler.js';
import { ManualClock } from '#pocket-github/clock';
import type { Inbox } from '../../../src/ports/inbox.js';
import { RecordingLog } from '../recording-log.js';
import { appKeys } from '#pocket-github/test/app-keys';

export const SELF = { accountId: 900, appId: 7 };
export const SECRET = 'a webhook secret';

/** Everything from GitHub's POST to our event, with the real parts. */
export interface WebhookHarness {
  readonly url: string;
  readonly inbox: Inbox;
  readonly log: RecordingLog;
  /** The clock of the webhook handler; the inbox uses real time. */
  readonly clock: ManualClock;
  readonly events: GitHubEvent[];
  close(): Promise<void>;
}

export interface WebhookHarnessOptions {
  readonly redisUrl: string;
  readonly secrets?: readonly string[];
  readonly maxBytes?: number;
  readonly self?: typeof SELF;
  readonly handle?: (event: GitHubEvent) => Promise<void>;
  readonly lockMs?: number;
}

const KEYS = appKeys();

export async function openWebhookHarness(options: WebhookHarnessOptions): Promise<WebhookHarness> {
  const { redisUrl, secrets = [SECRET], maxBytes = 1_000_000, self = SELF, lockMs = 15_000 } = options;
  const log = new RecordingLog();
  const clock = new ManualClock();
  const events: GitHubEvent[] = [];
  const inbox = await openBullmqInbox({ url: redisUrl, clock: systemClock, log, pauseMs: 1, lockMs });
  await inbox.work(async ({ event }) => {
    events.push(event);
    await options.handle?.(event);
  });
  const receive = await receiverFor(inbox, self);
  const handler = createWebhookHandler({ secrets, maxBytes, self, receive, clock, log });
  const server = await startServer({ host: '127.0.0.1', port: 0, handlers: [handler], ready: async () => true });
  return {
    url: `${server.url}${WEBHOOKS_PATH}`,
    inbox,
    log,
    clock,
    events,
    close: async () => {
      await server.close();
      await inbox.close();
    },
  };
}

/** The Probot app in front of an inbox. */
export function receiverFor(inbox: Pick<Inbox, 'enqueue'>, self = SELF): Promise<ReceiveWebhook> {
  return createReceiver({
    apiUrl: 'http://127.0.0.1:9',
    app: { id: self.appId, privateKey: KEYS.privateKey },
    self,
    inbox,
  });
}

export interface WebhookPost {
  readonly event: string;
  readonly id?: string;
  readonly payload: unknown;
  readonly secret?: string;
  /** Changes or, with `undefined`, removes headers. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export const signatureOf = (body: string, secret = SECRET): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const counter = { ids: 0 };

/** A webhook as GitHub sends it. */
export function postWebhook(url: string, { event, id, payload, secret, headers = {} }: WebhookPost): Promise<Response> {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  counter.ids += 1;
  const all = {
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/0000000',
    'x-github-event': event,
    'x-github-delivery': id ?? `00000000-0000-0000-0000-${String(counter.ids).padStart(12, '0')}`,
    'x-hub-signature-256': signatureOf(body, secret),
    ...headers,
  };
  const kept = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return fetch(url, { method: 'POST', headers: Object.fromEntries(kept), body });
}

const repository = { name: 'tideline', owner: { login: 'ada' } };
const wren = { id: 2, login: 'wren', type: 'User' };

/** A comment `/auto` on an issue. */
export const commentPayload = (body = '/auto') => ({
  action: 'created',
  repository,
  sender: wren,
  issue: { number: 7, updated_at: '2026-01-05T09:00:00Z' },
  comment: { node_id: 'IC_1', body, created_at: '2026-01-05T09:00:00Z', user: { id: 2 } },
});
