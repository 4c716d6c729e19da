import { Probot } from 'probot';
import type { Inbox } from '../../ports/inbox.js';
import { sluiceApp } from './app.js';
import type { Self } from './events/payload-shapes.js';

export interface ReceiverOptions {
  readonly apiUrl: string;
  readonly app: { readonly id: number; readonly privateKey: string };
  /** Who our own events come from. */
  readonly self: Self;
  readonly inbox: Pick<Inbox, 'enqueue'>;
}

/** A webhook whose signature was checked. */
export interface SignedWebhook {
  readonly id: string;
  /** As GitHub calls the event, e.g. `issue_comment`. */
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Has the app take a webhook in. Answers `ignored` when nothing in it concerns us; fails when it could not be kept. */
export type ReceiveWebhook = (webhook: SignedWebhook) => Promise<'queued' | 'duplicate' | 'ignored'>;

type ProbotEvent = Parameters<Probot['receive']>[0];

export async function createReceiver({ apiUrl, app, self, inbox }: ReceiverOptions): Promise<ReceiveWebhook> {
  const probot = new Probot({
    appId: app.id,
    privateKey: app.privateKey,
    baseUrl: apiUrl,
    // What fails is in our own log, without payloads.
    logLevel: 'fatal',
  });
  // Probot does not say what its listeners answer, so it is noted by payload: ids are shared by webhooks that are delivered again.
  const results = new WeakMap<object, 'queued' | 'duplicate'>();
  const enqueue: Parameters<typeof sluiceApp>[0]['enqueue'] = async (event, { id, payload }) =>
    results.set(payload, await inbox.enqueue({ id, event }));
  await probot.load(sluiceApp({ self, enqueue }));
  return async (webhook) => {
    try {
      // Its types list every payload there is; ours are parsed by the app.
      await probot.receive(webhook as unknown as ProbotEvent);
    } catch (error) {
      throw causeOf(error);
    }
    return results.get(webhook.payload) ?? 'ignored';
  };
}

/** What went wrong itself: Probot's own error also carries the payload. */
function causeOf(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
}
