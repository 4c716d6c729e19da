import { type Browser, chromium } from 'playwright-core';

/** A real Chromium, told to keep to itself. `npm test` says where it is, or leaves this folder out and says so. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env['SLUICE_CHROMIUM'];
  if (executablePath === undefined) throw new Error('SLUICE_CHROMIUM does not say where Chromium is');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}
