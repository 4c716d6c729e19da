import { Command } from 'commander';
import { systemClock } from '../../adapters/clock/system-clock.js';
import { guardsText } from '../../domain/render/phrases/sandbox-limits.js';
import { openApiAccess } from '../api/api-token.js';
import { CommandFailure } from './command-failure.js';
import { waitForAbort, interruption } from './interruption.js';
import { createLog } from '../service/log.js';
import { redactorFor } from '../service/secrets.js';
import { loadEnvFile, serviceConfig, setupSettings } from './settings.js';
import { setUp } from '../setup/set-up.js';
import { startService } from '../service/start-service.js';
import { version } from '../service/version.js';

/** Deadline for the whole shutdown. */
const SHUTDOWN_MS = 30_000;

/** `sluice serve`: runs the service until it is stopped. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('Receive webhooks and drive issues, configured by the environment (see docs/configuration.md).')
    .option('--settings <path>', 'read variables from this file as well; what the environment says wins')
    .option('--unsafe-no-sandbox', 'run agents without a sandbox when there is no bubblewrap')
    .action(serve);
}

interface ServeFlags {
  readonly settings?: string;
  readonly unsafeNoSandbox?: true;
}

async function serve(flags: ServeFlags): Promise<void> {
  if (flags.settings !== undefined) loadEnvFile(flags.settings);
  const setup = setupSettings();
  if (setup !== null) return setUp(setup);
  const { api, ...rest } = serviceConfig({ unsafeNoSandbox: flags.unsafeNoSandbox === true });
  const news: string[] = [];
  const config = { ...rest, api: openApiAccess(api, rest.folder, (line) => news.push(line)) };
  const log = createLog(redactorFor(config));
  const { signal } = interruption();
  const service = await startService(config, { clock: systemClock, log }).catch((error: unknown) => {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(`cannot start: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  });
  const { url, webhookUrl, redis, sandbox } = service;
  const guards = guardsText(service.guards);
  log.info({ version: version(), url, webhookUrl, github: config.apiUrl, redis, sandbox, guards }, 'service started');
  // Written beside the log, which would redact the token.
  for (const line of news) process.stderr.write(`sluice: ${line}\n`);
  await waitForAbort(signal);
  log.info({}, 'shutting down');
  setTimeout(() => {
    log.error({}, 'shutdown timed out');
    process.exit(1);
  }, SHUTDOWN_MS).unref();
  await service.close();
  log.info({}, 'shut down');
}
