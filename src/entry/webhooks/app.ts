import { Probot } from 'probot';
import type { GitHubEvent } from '../../domain/intent/github-event.js';
import type { Delivery } from '../../ports/inbox.js';
import type { Self } from './events/event-reader.js';
import { parseGitHubEvent } from './events/parse-event.js';

export interface AppOptions {
  readonly apiUrl: string;
  readonly app: { readonly id: number; readonly privateKey: string };
  /** Who our own events come from. */
  readonly self: Self;
  readonly handle: (event: GitHubEvent) => Promise<void>;
}

/** The App: hears deliveries that the webhook door let in. Fails when an event could not be dealt with. */
export type DeliveryHandler = (delivery: Delivery) => Promise<void>;

type ProbotEvent = Parameters<Probot['receive']>[0];

export async function createApp({ apiUrl, app, self, handle }: AppOptions): Promise<DeliveryHandler> {
  const probot = new Probot({
    appId: app.id,
    privateKey: app.privateKey,
    baseUrl: apiUrl,
    // What fails is in our own log, without payloads.
    logLevel: 'fatal',
  });
  await probot.load((probotApp) => {
    probotApp.onAny(async ({ name, payload }) => {
      const event = parseGitHubEvent(name, payload, self);
      if (event !== null) await handle(event);
    });
  });
  return async ({ id, name, payload }) => {
    try {
      // Its types list every payload there is; which of them matter was settled by parsing.
      await probot.receive({ id, name, payload } as unknown as ProbotEvent);
    } catch (error) {
      throw causeOf(error);
    }
  };
}

/** What went wrong itself: Probot's own error also carries the payload. */
function causeOf(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
}
