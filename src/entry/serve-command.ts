import { realpathSync } from 'node:fs';
import { Command } from 'commander';
import { systemClock } from '../adapters/clock/system-clock.js';
import { CommandFailure } from './command-failure.js';
import { aborted, interruption } from './interrupted.js';
import { createLog } from './log.js';
import { redactorFor } from './secrets.js';
import { PRODUCT, programPath, serviceSettings } from './settings.js';
import { startService } from './start-service.js';
import { version } from './version.js';

/** All of shutting down, whatever hangs. */
const SHUTDOWN_MS = 10_000;

/** `sluice serve`: webhooks in, work out, until it is told to end. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('Receive webhooks and drive issues, configured by the environment (see docs/configuration.md).')
    .option('--unsafe-no-sandbox', 'run agents without walls around them when there is no bubblewrap')
    .action(serve);
}

async function serve(flags: { readonly unsafeNoSandbox?: true }): Promise<void> {
  const settings = serviceSettings();
  const log = createLog(redactorFor(settings));
  const { signal } = interruption();
  const config = {
    ...settings,
    claude: realpathSync(settings.claude),
    product: PRODUCT,
    path: programPath(),
    unsafeNoSandbox: flags.unsafeNoSandbox === true,
  };
  const service = await startService(config, { clock: systemClock, log }).catch((error: unknown) => {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(`cannot start: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  });
  const { url, webhookUrl, redis, sandbox } = service;
  log.info({ version: version(), url, webhookUrl, github: settings.apiUrl, redis, sandbox }, 'sluice is up');
  await aborted(signal);
  log.info({}, 'ending');
  setTimeout(() => {
    log.error({}, 'something did not end in time; leaving it');
    process.exit(1);
  }, SHUTDOWN_MS).unref();
  await service.close();
  log.info({}, 'ended');
}
