import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Swap } from '../ports/state-store.js';
import { handleEvent } from '../usecases/handle-event.js';
import { createApp, WEBHOOKS_PATH } from './app.js';
import { compose, type Service, type ServiceConfig } from './compose.js';
import { startServer } from './server.js';

/** The front door and everything behind it. */
export interface RunningService extends Omit<Service, 'ready'> {
  readonly url: string;
  /** Where GitHub has to send its webhooks. */
  readonly webhookUrl: string;
  /** Resolves when nothing that was heard and nothing that is queued is left to do (timers apart). */
  settled(): Promise<void>;
}

export interface FrontDoor {
  readonly host: string;
  readonly port: number;
  readonly webhookSecret: string;
}

const HEARD_MS = 2_000;

/** Server and worker in one process. */
export async function startService(
  config: ServiceConfig & FrontDoor,
  parts: { readonly clock: Clock; readonly log: Log; readonly onSwap?: (swap: Swap) => void },
): Promise<RunningService> {
  const service = await compose(config, parts);
  const { engine } = service;
  try {
    const app = await createApp({
      ...config,
      self: service.identity,
      handle: (event) => handleEvent(engine, event),
      log: parts.log,
    });
    const server = await startServer({
      ...config,
      serve: (request, response) => app.serve(request, response),
      ready: () => service.ready(),
    });
    return {
      ...service,
      url: server.url,
      webhookUrl: `${server.url}${WEBHOOKS_PATH}`,
      settled: async () => {
        await app.settled();
        await engine.queue.idle();
      },
      close: async () => {
        await server.close();
        // What was heard a moment ago should become a durable intent, but not at the price of never ending.
        await Promise.race([app.settled(), setTimeout(HEARD_MS, undefined, { ref: false })]);
        await service.close();
      },
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}
