import type { ApiAccess } from '../api/authorise.js';
import { engineApi } from '../api/engine-api.js';
import { createReceiver } from '../webhooks/receive-webhook.js';
import type { Service } from './compose.js';
import type { ServiceConfig } from './composition.js';
import { startServer } from './server.js';
import { startWorker, type WorkerParts } from './start-worker.js';
import { createWebhookHandler, WEBHOOKS_PATH } from '../webhooks/webhook-handler.js';

/** The server with the worker behind it. */
export interface RunningService extends Omit<Service, 'ready'> {
  readonly url: string;
  /** Where GitHub has to send its webhooks. */
  readonly webhookUrl: string;
  /** Resolves when inbox and queue are empty, except timers. */
  settled(): Promise<void>;
}

export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  /** The App's webhook secret, and the previous one during a change. */
  readonly webhookSecrets: readonly string[];
  /** Whether to sweep every minute; on by default. */
  readonly sweeps?: boolean;
  /** Longer webhooks are refused. */
  readonly maxWebhookBytes?: number;
  /** `null` when only webhooks are served. */
  readonly api: ApiAccess | null;
}

/** GitHub's own limit. */
const MAX_WEBHOOK_BYTES = 25 * 1024 * 1024;

/** Server and worker in one process. */
export async function startService(config: ServiceConfig & ServerConfig, parts: WorkerParts): Promise<RunningService> {
  const service = await startWorker(config, parts);
  const { engine, identity, inbox, sweep } = service;
  try {
    const receive = await createReceiver({ ...config, self: identity, inbox });
    const webhooks = createWebhookHandler({
      secrets: config.webhookSecrets,
      maxBytes: config.maxWebhookBytes ?? MAX_WEBHOOK_BYTES,
      self: identity,
      receive,
      ...parts,
    });
    const api = config.api === null ? null : engineApi(engine, config.api);
    const handlers = [webhooks, ...(api === null ? [] : [api.handle])];
    const server = await startServer({ ...config, handlers, ready: () => service.ready() });
    if (config.sweeps !== false) sweep.start();
    return {
      ...service,
      url: server.url,
      webhookUrl: `${server.url}${WEBHOOKS_PATH}`,
      settled: async () => {
        await sweep.settled();
        await inbox.idle();
        await engine.queue.idle();
      },
      close: async () => {
        api?.close();
        await server.close();
        await service.close();
      },
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}
