import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openBubblewrap } from '../../support/sandbox/bubblewrap.js';

/* F1: what is left when a service is killed at the worst moment. */

/** The environments of all processes of this machine whose arguments hold the marker. */
function environmentsNaming(marker: string): readonly string[] {
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/cmdline`).includes(marker))
    .map((name) => read(`/proc/${name}/environ`));
}

test('every process of a run carries its tag, bubblewrap itself too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tagged-'));
  const sandbox = openBubblewrap({ clock: systemClock, graceMs: 1000 });
  const seen: string[] = [];
  const abort = new AbortController();
  await sandbox.run({
    argv: ['/bin/sh', '-c', `: ${folder}; echo ready; sleep 1000 & wait`],
    cwd: folder,
    env: { PATH: '/usr/bin:/bin' },
    mounts: [{ path: folder, access: 'write' }],
    timeoutMs: 60_000,
    maxOutputBytes: 1000,
    signal: abort.signal,
    onLine: () => {
      seen.push(...environmentsNaming(folder));
      abort.abort();
    },
  });
  await rm(folder, { recursive: true });
  // Bubblewrap outside and inside, and the shell.
  expect(seen.length).toBeGreaterThanOrEqual(3);
  expect(seen.filter((environment) => !environment.includes('SLUICE_RUN_TAG='))).toEqual([]);
});

/**
 * Inside a sandbox, where it sees no other processes: a service is killed while its bubblewrap has not come as far as to die with it, and the next
 * service looks for what it left.
 */
const PROGRAM = `
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Bubblewrap } from '${resolve('build/src/adapters/sandbox/bubblewrap.js')}';
import { systemClock } from '${resolve('build/src/adapters/clock/system-clock.js')}';

writeFileSync('/tmp/bwrap', '#!/bin/sh\\ntrap "" TERM\\necho $$ > /tmp/pid.new; mv /tmp/pid.new /tmp/pid\\nwhile :; do sleep 1000; done\\n', { mode: 0o755 });
const service = \`
  import { Bubblewrap } from '${resolve('build/src/adapters/sandbox/bubblewrap.js')}';
  import { systemClock } from '${resolve('build/src/adapters/clock/system-clock.js')}';
  const sandbox = new Bubblewrap({ clock: systemClock, graceMs: 1000, program: '/tmp/bwrap' });
  await sandbox.run({ argv: ['true'], cwd: '/', env: { PATH: '/usr/bin:/bin' }, mounts: [], timeoutMs: 60000, maxOutputBytes: 10 });
\`;
const first = spawn(process.execPath, ['--input-type=module', '--eval', service], { stdio: 'ignore' });
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
while (!existsSync('/tmp/pid')) await pause();
const pid = Number(readFileSync('/tmp/pid', 'utf8'));
const isThere = () => existsSync('/proc/' + pid) && !/^\\d+ \\(.*\\) Z/.test(readFileSync('/proc/' + pid + '/stat', 'utf8'));
const second = new Bubblewrap({ clock: systemClock, graceMs: 1000, program: '/tmp/bwrap' });
const whileServed = second.sweepLeftovers();
const gone = new Promise((resolve) => first.once('exit', resolve));
first.kill('SIGKILL');
await gone;
process.kill(pid, 'SIGTERM');
const survives = isThere();
const ended = second.sweepLeftovers();
// Whoever was left alone keeps this waiting until its time is up.
while (isThere()) await pause();
process.stdout.write(JSON.stringify({ whileServed, survives, ended: ended > 0 }));
process.exit(0);
`;

test('a bubblewrap whose service was killed before it was ready is found and ended', async () => {
  const tools = [dirname(process.execPath), resolve('build'), resolve('node_modules')];
  const sandbox = openBubblewrap({ clock: systemClock, graceMs: 1000 }, tools);
  const result = await sandbox.run({
    argv: [process.execPath, '--input-type=module', '--eval', PROGRAM],
    cwd: '/tmp',
    env: { PATH: '/usr/bin:/bin' },
    mounts: [],
    timeoutMs: 60_000,
    maxOutputBytes: 10_000,
  });
  expect(result).toMatchObject({ end: { kind: 'exited', code: 0 }, stderr: '' });
  expect(JSON.parse(result.stdout)).toEqual({ whileServed: 0, survives: true, ended: true });
});
