import { execPath } from 'node:process';
import { dirname } from 'node:path';
import { expect, test } from '@jest/globals';
import { programPath } from '../../src/entry/settings.js';

test('setup and test commands find the Node that runs us first, whatever PATH the service was started with', () => {
  const before = process.env['PATH'];
  try {
    process.env['PATH'] = '/usr/bin:/bin';
    expect(programPath()).toBe(`${dirname(execPath)}:/usr/bin:/bin`);
  } finally {
    process.env['PATH'] = before;
  }
});
