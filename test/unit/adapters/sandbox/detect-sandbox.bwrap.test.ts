import { expect, test } from '@jest/globals';
import { detectSandbox } from '../../../../src/adapters/sandbox/detect-sandbox.js';
import { ManualClock } from '#pocket-github/clock';

test('a bubblewrap that works is found and used', async () => {
  const path = process.env['PATH'] ?? '';
  const { sandbox, why } = await detectSandbox({ clock: new ManualClock(), graceMs: 1000, path });
  expect({ name: sandbox.name, why }).toEqual({ name: 'bubblewrap', why: null });
});
