import { systemClock } from '../../adapters/clock/system-clock.js';
import type { Service } from '../service/compose.js';
import { createLog } from '../service/log.js';
import { redactorFor } from '../service/secrets.js';
import { startWorker } from '../service/start-worker.js';
import { interruption, waitForAbort } from './interruption.js';
import { serviceConfig } from './settings.js';

/** The service without its server, for `probot run`, which brings one. Ends with the process. */
export async function startWorkerFromEnvironment(): Promise<Service> {
  const { api: _, ...config } = serviceConfig({ unsafeNoSandbox: false });
  const log = createLog(redactorFor(config));
  const service = await startWorker(config, { clock: systemClock, log });
  service.sweep.start();
  void closeWhenInterrupted(service);
  return service;
}

async function closeWhenInterrupted(service: Service): Promise<void> {
  await waitForAbort(interruption().signal);
  await service.close();
  process.exit();
}
