import { dirname } from 'node:path';
import { execPath } from 'node:process';
import { expect, test } from '@jest/globals';
import { toolPath } from '../../../../src/entry/service/agent-runtime.js';

test('commands of repositories find the Node that runs the service first', () => {
  expect(toolPath('/usr/bin:/bin')).toBe(`${dirname(execPath)}:/usr/bin:/bin`);
});
