import { dirname, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { systemClock } from '../../../../../src/adapters/clock/system-clock.js';
import { openBubblewrap } from '../../../../support/sandbox/bubblewrap.js';

/** Starts a process of each kind, sweeps, and says which have been ended. Inside a sandbox, where it sees no other processes. */
const PROGRAM = `
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { newRunTag, sweepTagged } from '${resolve('build/src/adapters/sandbox/process/run-tag.js')}';

const [namespace, pid, start] = newRunTag().split('.');
const sleeper = (tag) => spawn('/bin/sleep', ['1000'], { env: tag === null ? {} : { SLUICE_RUN_TAG: tag }, stdio: 'ignore' });
const other = sleeper(null);
const otherStart = readFileSync('/proc/' + other.pid + '/stat', 'utf8').split(' ')[21];
const tags = {
  'of a service that is gone': [namespace, 99999, 1, 'run'].join('.'),
  'of an earlier service with our number': [namespace, pid, 1, 'run'].join('.'),
  'of a run of ours that is over': [namespace, pid, start, 'over'].join('.'),
  'of a run of ours that goes on': [namespace, pid, start, 'running'].join('.'),
  'of another service': [namespace, other.pid, otherStart, 'run'].join('.'),
  'of a service in another namespace': ['1', 99999, 1, 'run'].join('.'),
  'with a tag that is none': 'mine',
  'without a tag': null,
};
const sleepers = Object.entries(tags).map(([name, tag]) => [name, sleeper(tag)]);
const ended = sleepers.map(([name, child]) => new Promise((resolve) => child.once('exit', () => resolve(name))));
const count = sweepTagged((tag) => tag.endsWith('.running'));
const names = await Promise.all(ended.slice(0, count));
const more = sleepers.slice(count).filter(([, child]) => child.exitCode !== null || child.signalCode !== null);
process.stdout.write(JSON.stringify({ count, names, more: more.map(([name]) => name) }));
process.exit(0);
`;

test('what a service that is no more has left behind is ended, and nothing else', async () => {
  const sandbox = openBubblewrap({ clock: systemClock, graceMs: 1000 }, [dirname(process.execPath), resolve('build')]);
  const result = await sandbox.run({
    argv: [process.execPath, '--input-type=module', '--eval', PROGRAM],
    cwd: '/tmp',
    env: {},
    mounts: [],
    timeoutMs: 60_000,
    maxOutputBytes: 10_000,
  });
  expect({ ...result, stdout: JSON.parse(result.stdout || result.stderr) }).toMatchObject({
    end: { kind: 'exited', code: 0 },
    stdout: {
      count: 3,
      names: ['of a service that is gone', 'of an earlier service with our number', 'of a run of ours that is over'],
      more: [],
    },
  });
});
