import { resolve } from 'node:path';
import type { SetupSettings } from '../../config/setup-config.js';
import { CommandFailure } from '../cli/command-failure.js';
import { waitForAbort, interruption } from '../cli/interruption.js';
import { WEBHOOKS_PATH } from '../webhooks/webhook-handler.js';
import { holdsCredentials } from './save-credentials.js';
import { startSetup } from './start-setup.js';

const ENV_FILE = '.env';

/** `sluice serve` without an App: shows where to register one and what to do then, until it is stopped. */
export async function setUp(settings: SetupSettings): Promise<void> {
  const envFile = resolve(ENV_FILE);
  if (holdsCredentials(envFile)) {
    throw new CommandFailure(
      `no App is configured in the environment, but there is one in ${envFile}. Start with it:\n  ${startWith(envFile)}`,
    );
  }
  const { signal } = interruption();
  const setup = await startSetup(settings, { envFile, onSaved: () => printLines(savedLines(envFile, settings)) });
  printLines(openingLines(setup.url, settings));
  await waitForAbort(signal);
  await setup.close();
}

function openingLines(url: string, { publicUrl, github }: SetupSettings): readonly string[] {
  return [
    `No GitHub App is configured yet. Open ${url} and register one; ${github?.host ?? 'GitHub'} will ask you to confirm.`,
    'It asks for the permissions and events of app.yml, and for nothing else.',
    publicUrl === null
      ? 'SLUICE_PUBLIC_URL is not set, so the App is registered without webhooks; you can switch them on later.'
      : `Its webhooks will go to ${publicUrl}${WEBHOOKS_PATH}.`,
    'There is an App already? End this with Ctrl-C and set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET.',
  ];
}

/** Says where credentials were saved, never their values. */
function savedLines(envFile: string, { publicUrl }: SetupSettings): readonly string[] {
  const steps = [
    'Install the App on the repositories it should work in: GitHub is asking you now.',
    ...(publicUrl === null
      ? [
          `Make this service reachable, then set the App’s webhook address to https://YOUR-HOST${WEBHOOKS_PATH} and tick Active.`,
        ]
      : []),
    'Set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN: who pays for the model.',
    `End this with Ctrl-C and start again: ${startWith(envFile)}`,
    'Comment /auto on an issue.',
  ];
  return [
    `The App is registered. Its credentials are in ${envFile}, which only you can read; keep it out of git.`,
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
  ];
}

const startWith = (envFile: string): string => `sluice serve --settings ${envFile}`;

const printLines = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);
