import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { detectSandbox } from '../../../../src/adapters/sandbox/detect-sandbox.js';
import { ManualClock } from '#pocket-github/clock';

const limits = { clock: new ManualClock(), graceMs: 1000 };

test('without bubblewrap there is no sandbox, and the reason is given', async () => {
  const { sandbox, why } = await detectSandbox({ ...limits, path: '' });
  expect(sandbox.name).toBe('none');
  expect(why).toContain('install the package "bubblewrap"');
});

test('a bubblewrap that does not work counts as none, and its complaint is told', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'detect-'));
  const script = '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n';
  await writeFile(join(folder, 'bwrap'), script, { mode: 0o755 });
  const { sandbox, why } = await detectSandbox({ ...limits, path: `/no/such/folder:${folder}` });
  await rm(folder, { recursive: true });
  expect(sandbox.name).toBe('none');
  expect(why).toContain('No permissions to create new namespace');
});
