import type { Clock } from '../../ports/clock.js';
import type { Log } from '../../ports/log.js';
import type { Swap } from '../../ports/state-store.js';
import { handleEvent } from '../../usecases/commands/handle-event.js';
import { compose, type Service } from './compose.js';
import type { ServiceConfig } from './composition.js';
import { type Confidential, redactorFor } from './secrets.js';

export interface WorkerParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly onSwap?: (swap: Swap) => void;
}

/** The service without a server: handles the inbox and works. */
export async function startWorker(config: ServiceConfig & Confidential, parts: WorkerParts): Promise<Service> {
  const service = await compose(config, { ...parts, redact: redactorFor(config) });
  try {
    await service.inbox.work(({ event }) => handleEvent(service.engine, event));
    return service;
  } catch (error) {
    await service.close();
    throw error;
  }
}
