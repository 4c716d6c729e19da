import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { run } from 'probot';
import type { SetupSettings } from '../../config/setup-config.js';
import { CommandFailure } from '../cli/command-failure.js';
import { PRODUCT } from '../cli/settings.js';
import { manifestFor } from './manifest.js';
import { saveCredentials } from './save-credentials.js';

export interface Setup {
  readonly url: string;
  close(): Promise<void>;
}

/** Variables Probot acts on by itself: fetching a proxy from the network, refusing to set up, running other programs. */
const PROBOTS_OWN = ['NODE_ENV', 'PROJECT_DOMAIN', 'WEBHOOK_PROXY_URL', 'SENTRY_DSN'];

/**
 * Probot's own setup pages, where a person registers the App. Probot reads its working folder and the environment, so both are prepared for
 * it: this process does nothing else.
 */
export async function startSetup(
  { host, port, github, publicUrl }: SetupSettings,
  { envFile, onSaved }: { readonly envFile: string; readonly onSaved: () => void },
): Promise<Setup> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-setup-'));
  writeFileSync(join(folder, 'app.yml'), manifestFor(readFileSync(join(PRODUCT, 'app.yml'), 'utf8'), publicUrl));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'sluice', description: 'Set up Sluice' }));
  process.chdir(folder);
  for (const name of PROBOTS_OWN) delete process.env[name];
  process.env['NO_SMEE_SETUP'] = 'true';
  if (github !== null) Object.assign(process.env, { GHE_HOST: github.host, GHE_PROTOCOL: github.protocol });
  const server = await run(() => undefined, {
    env: { HOST: host, PORT: String(port) },
    // Probot would log the code that GitHub exchanges for the App's key.
    log: pino({ level: 'silent' }),
    updateEnv: (values) => {
      saveCredentials(envFile, values);
      onSaved();
      return values;
    },
  }).catch((error: unknown) => {
    throw new CommandFailure(`cannot listen on ${host}:${port}: ${String(error)}; choose another PORT`, {
      cause: error,
    });
  });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    close: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
