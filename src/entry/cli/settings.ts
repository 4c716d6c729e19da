import { accessSync, constants, readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type ConfigHost,
  readAccountSettings,
  readGitHubSettings,
  readServiceSettings,
} from '../../config/service-config.js';
import { isUnconfigured, readSetupSettings, type SetupSettings } from '../../config/setup-config.js';
import type { ConfigReading } from '../../config/variable.js';
import { CommandFailure } from './command-failure.js';
import { ownClaude } from './own-claude.js';

/** The folder of package.json, three above the compiled file. */
export const PRODUCT = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');

/** Where programs are searched. */
export const programPath = (): string => process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';

/** Which `claude` the environment asks for, if any. */
export const chosenClaude = (): string | null => {
  const chosen = process.env['SLUICE_CLAUDE'];
  return chosen === undefined || chosen === '' ? ownClaude() : chosen;
};

/** The Redis the environment names, if any: a private one cannot be reached from another process. */
export const chosenRedis = (): string | null => process.env['SLUICE_REDIS_URL']?.trim() || null;

/** The cgroup the environment names, if any. */
export const chosenCgroup = (): string | null => process.env['SLUICE_CGROUP']?.trim() || null;

const HOST: ConfigHost = {
  readFile: (path) => attempt(() => readFileSync(path, 'utf8')),
  isProgram: (path) =>
    attempt(() => {
      accessSync(path, constants.X_OK);
      return true;
    }) ?? false,
  claude: ownClaude(),
};

export const gitHubSettings = () => orFail(readGitHubSettings(process.env, HOST));
export const accountSettings = () => orFail(readAccountSettings(process.env, HOST));
const serviceSettings = () => orFail(readServiceSettings(process.env, HOST));

/** Everything the service needs from the environment. */
export function serviceConfig({ unsafeNoSandbox }: { readonly unsafeNoSandbox: boolean }) {
  const settings = serviceSettings();
  const claude = realpathSync(settings.claude);
  return { ...settings, claude, product: PRODUCT, path: programPath(), unsafeNoSandbox };
}

/** Settings for registering an App; `null` when one is configured, even in part. */
export const setupSettings = (): SetupSettings | null =>
  isUnconfigured(process.env) ? orFail(readSetupSettings(process.env)) : null;

/** Adds the variables of a file; the environment wins. */
export function loadEnvFile(path: string): void {
  try {
    process.loadEnvFile(path);
  } catch (error) {
    throw new CommandFailure(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function orFail<Settings>(reading: ConfigReading<Settings>): Settings {
  if (reading.kind === 'valid') return reading.settings;
  const problems = reading.problems.map((problem) => `\n  - ${problem}`).join('');
  throw new CommandFailure(`the environment is not complete:${problems}`);
}

function attempt<T>(task: () => T): T | null {
  try {
    return task();
  } catch {
    return null;
  }
}
