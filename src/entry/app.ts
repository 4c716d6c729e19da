import type { IncomingMessage, ServerResponse } from 'node:http';
import { createNodeMiddleware, Probot } from 'probot';
import type { Policy } from '../domain/policy.js';
import type { Log } from '../ports/log.js';
import type { GitHubEvent } from '../domain/github-event.js';
import { parseGitHubEvent } from './github-event/parse-event.js';

export interface AppOptions {
  readonly apiUrl: string;
  readonly app: { readonly id: number; readonly privateKey: string };
  readonly webhookSecret: string;
  /** Who our own events come from. */
  readonly self: Policy['identity'];
  readonly handle: (event: GitHubEvent) => Promise<void>;
  readonly log: Log;
}

/** The App: hears signed webhooks, answers them at once, and works on afterwards. */
export interface App {
  /** Answers whether the request was a webhook. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Resolves when everything heard so far has been dealt with. */
  settled(): Promise<void>;
}

/** Where GitHub sends its webhooks: Probot's own default. */
export const WEBHOOKS_PATH = '/api/github/webhooks';

export async function createApp({ apiUrl, app, webhookSecret, self, handle, log }: AppOptions): Promise<App> {
  const underWay = new Set<Promise<void>>();
  const hear = (delivery: string, name: string, payload: unknown): void => {
    const event = parseGitHubEvent(name, payload, self);
    if (event === null) return;
    const handling = handle(event)
      .catch((error: unknown) => log.error({ delivery, name, error }, 'an event could not be dealt with'))
      .finally(() => underWay.delete(handling));
    underWay.add(handling);
  };
  const probot = new Probot({
    appId: app.id,
    privateKey: app.privateKey,
    secret: webhookSecret,
    baseUrl: apiUrl,
    // A wrong signature is GitHub's to show, in the delivery's answer; what we do is in our own log.
    logLevel: 'fatal',
  });
  const middleware = await createNodeMiddleware(
    (heard) => {
      heard.onAny(({ id, name, payload }) => hear(id, name, payload));
    },
    { probot, webhooksPath: WEBHOOKS_PATH },
  );
  return {
    serve: async (request, response) => Boolean(await middleware(request, response)),
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
