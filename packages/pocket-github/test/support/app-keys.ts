import { type AppKeys, newAppKeys } from '../../src/resources/apps/seed-app.js';

/** One key for all Apps of all test files, made before they run: what it is made of is of no interest to them. */
export function appKeys(): AppKeys {
  const made = process.env['SLUICE_TEST_APP_KEYS'];
  return made === undefined ? newAppKeys() : (JSON.parse(made) as AppKeys);
}
