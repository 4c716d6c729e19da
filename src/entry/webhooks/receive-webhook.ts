import { Probot } from 'probot';
import type { Inbox } from '../../ports/inbox.js';
import { sluiceApp } from './app.js';
import type { Self } from './events/payload-shapes.js';

export interface ReceiverOptions {
  readonly apiUrl: string;
  readonly app: { readonly id: number; readonly privateKey: string };
  /** Our own identity, to recognise our own events. */
  readonly self: Self;
  readonly inbox: Pick<Inbox, 'enqueue'>;
}

/** A webhook whose signature was checked. */
export interface SignedWebhook {
  readonly id: string;
  /** GitHub's name of the event, e.g. `issue_comment`. */
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Passes a webhook to the app. `ignored` when it does not concern us; fails when it could not be stored. */
export type ReceiveWebhook = (webhook: SignedWebhook) => Promise<'queued' | 'duplicate' | 'ignored'>;

type ProbotEvent = Parameters<Probot['receive']>[0];

export async function createReceiver({ apiUrl, app, self, inbox }: ReceiverOptions): Promise<ReceiveWebhook> {
  const probot = new Probot({
    appId: app.id,
    privateKey: app.privateKey,
    baseUrl: apiUrl,
    // Failures are in our own log, without payloads.
    logLevel: 'fatal',
  });
  // Probot does not return what its listeners did, so the result is kept by payload: redeliveries share an id.
  const results = new WeakMap<object, 'queued' | 'duplicate'>();
  const enqueue: Parameters<typeof sluiceApp>[0]['enqueue'] = async (event, { id, payload }) =>
    results.set(payload, await inbox.enqueue({ id, event }));
  await probot.load(sluiceApp({ self, enqueue }));
  return async (webhook) => {
    try {
      // Probot's types list every payload; the app parses ours.
      await probot.receive(webhook as unknown as ProbotEvent);
    } catch (error) {
      throw causeOf(error);
    }
    return results.get(webhook.payload) ?? 'ignored';
  };
}

/** The original error: Probot's own also carries the payload. */
function causeOf(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
}
