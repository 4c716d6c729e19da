import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { claimClone } from '../../../src/adapters/workspace/clone-owner.js';
import { ManualClock } from '#pocket-github/clock';
import type { Sandbox } from '../../../src/ports/sandbox.js';
import { startLeftoverSweep } from '../../../src/entry/service/leftover-sweep.js';
import { afterThisTest } from '../../support/clean-up.js';
import { RecordingLog } from '../../support/recording-log.js';
import { until } from '../../support/until.js';

/* F1: files of services that were killed are swept at start, and from then on every hour. */

const HOUR = 60 * 60_000;
const places = { clones: '', sockets: '' };
let clock: ManualClock;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'left-'));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  Object.assign(places, { clones: join(folder, 'clones'), sockets: join(folder, 's') });
  await mkdir(join(places.clones, 'ada+sandbox'), { recursive: true });
  await mkdir(places.sockets);
  clock = new ManualClock(Date.now() + 2 * HOUR);
});

const clone = async (name: string, age = 2 * HOUR): Promise<string> => {
  const root = join(places.clones, 'ada+sandbox', name);
  await mkdir(join(root, 'home/tmp'), { recursive: true });
  await writeFile(join(root, 'home/junk'), 'x');
  const then = new Date(clock.now() - age);
  await utimes(root, then, then);
  return root;
};
const clones = (): Promise<string[]> => readdir(join(places.clones, 'ada+sandbox'));
const sockets = (): Promise<string[]> => readdir(places.sockets);

/** A socket whose listener was killed. */
async function deadSocket(name: string): Promise<void> {
  const path = join(places.sockets, name);
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  await execa(process.execPath, ['-e', script], { reject: false });
}

async function liveSocket(name: string): Promise<void> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(join(places.sockets, name), resolve));
  afterThisTest(() => new Promise((resolve) => server.close(resolve)));
}

function startSweep() {
  const sandbox: Sandbox = {
    name: 'none',
    guards: [],
    run: () => Promise.reject(new Error()),
    sweepLeftovers: () => 0,
  };
  const log = new RecordingLog();
  afterThisTest(async () => startedSweep());
  const startedSweep = startLeftoverSweep({ sandbox, ...places, clock, log });
  return log;
}

test('half a clone that its service could not even mark goes at the start, home and all', async () => {
  await clone('run-1-work');
  await clone('run-2-work', 60_000);
  await claimClone(join(await clone('run-3-work'), 'owner.json'), {
    ref: { owner: 'ada', repo: 'sandbox', number: 1 },
    phaseRun: 'run-3-work',
  });
  const then = new Date(clock.now() - 2 * HOUR);
  await utimes(join(places.clones, 'ada+sandbox', 'run-3-work'), then, then);
  startSweep();
  await until('the clone is gone', async () => !(await clones()).includes('run-1-work'));
  // One is young, and may be about to be marked; one is somebody's.
  expect((await clones()).sort()).toEqual(['run-2-work', 'run-3-work']);
});

test('what is left behind later goes within the hour', async () => {
  const log = startSweep();
  await clone('run-1-work');
  await deadSocket('a');
  await liveSocket('b');
  expect(await sockets()).toEqual(['a', 'b']);
  clock.advance(HOUR);
  await until('they are gone', async () => (await clones()).length === 0 && (await sockets()).length === 1);
  expect(await sockets()).toEqual(['b']);
  await until('it is said', () => log.said('removed leftover files').length > 0);
});
