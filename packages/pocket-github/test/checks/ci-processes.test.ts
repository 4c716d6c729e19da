import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Ci, startCi } from '../../src/ci/ci.js';
import type { Timer } from '../../src/ci/job-process.js';
import { BareStore } from '../../src/git/bare-store.js';
import { seedRepository, seedUser } from '../../src/seed/seed-repository.js';
import { World } from '../../src/world/world.js';
import { ManualClock } from '../../src/clock/manual-clock.js';
import { until } from '../../../../test/support/until.js';

let folder: string;
let gitStore: BareStore;
let world: World;
let ci: Ci;
/** Deadlines that were set, to be let pass by the tests. */
let deadlines: { ms: number; pass: () => void; cancelled: boolean }[];

const timer: Timer = (ms, task) => {
  const deadline = { ms, pass: task, cancelled: false };
  deadlines.push(deadline);
  return () => {
    deadline.cancelled = true;
  };
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pocket-ci-test-'));
  gitStore = new BareStore(join(folder, 'git'));
  world = new World({ clock: new ManualClock(), gitStore, lags: { mergeableMs: 0 } });
  deadlines = [];
  ci = startCi({ world, scripts: [], timer });
  world.react(ci.reaction);
});

afterEach(async () => {
  await ci.close();
  await gitStore.close();
  await rm(folder, { recursive: true, force: true });
});

/** A named pipe, through which a job and a test wait for each other. */
async function pipe(name: string): Promise<string> {
  const path = join(folder, name);
  await promisify(execFile)('mkfifo', [path]);
  return path;
}

const heard = async (path: string): Promise<string> => (await readFile(path, 'utf8')).trim();

/** Founds a repository, whose first commit starts these jobs. */
async function start(...commands: readonly string[]): Promise<void> {
  const jobs = commands.map((run, index) => ({ name: `job ${index + 1}`, run, timeoutMs: 5000 }));
  const owner = seedUser(world, { login: 'ada' });
  await seedRepository(world, { owner, name: 'sandbox', files: { a: 'a\n' }, settings: { ci: jobs } });
}

const states = () =>
  world.tables.checkRuns.all().map(({ name, status, conclusion }) => `${name}: ${conclusion ?? status}`);

/** Until nothing is left of a process but its exit code. A killed one needs a moment. */
async function untilGone(pid: string): Promise<void> {
  await until(`process ${pid} is gone`, async () => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    return stat === null || /\) Z /.test(stat);
  });
}

describe('a job that takes too long', () => {
  test('ends as timed_out at its deadline, with all it started', async () => {
    const started = await pipe('started');
    await start(`echo before; sleep 1000 & echo $! > ${started}; wait`);
    const child = await heard(started);
    expect(states()).toEqual(['job 1: in_progress']);
    expect(deadlines).toMatchObject([{ ms: 5000, cancelled: false }]);
    deadlines[0]?.pass();
    await ci.idle();
    expect(states()).toEqual(['job 1: timed_out']);
    expect(world.tables.checkRuns.all()[0]).toMatchObject({ title: 'job 1 did not finish within 5 s' });
    expect(world.tables.checkRuns.all()[0]?.summary).toContain('before');
    await untilGone(child);
  });
});

describe('a job that ends', () => {
  test('takes along what it left running, and its deadline is called off', async () => {
    const started = await pipe('started');
    await start(`sleep 1000 & echo $! > ${started}; exit 0`);
    const child = await heard(started);
    await ci.idle();
    expect(states()).toEqual(['job 1: success']);
    expect(deadlines).toMatchObject([{ cancelled: true }]);
    await untilGone(child);
  });

  test('by a signal is a failure', async () => {
    await start('kill -9 $$');
    await ci.idle();
    expect(states()).toEqual(['job 1: failure']);
    expect(world.tables.checkRuns.all()[0]?.title).toBe('job 1 was ended by SIGKILL');
  });
});

describe('several jobs', () => {
  test('run two at a time', async () => {
    const [first, second, third, go] = await Promise.all(['first', 'second', 'third', 'go'].map(pipe));
    await start(`echo up > ${first}; cat ${go}`, `echo up > ${second}; exit 0`, `echo up > ${third}`);
    await heard(first ?? '');
    expect(states()).toEqual(['job 1: in_progress', 'job 2: in_progress', 'job 3: queued']);
    await heard(second ?? '');
    await heard(third ?? '');
    await writeFile(go ?? '', 'go');
    await ci.idle();
    expect(states()).toEqual(['job 1: success', 'job 2: success', 'job 3: success']);
  });
});

describe('closing', () => {
  test('ends what runs, starts nothing more, and removes the checkouts', async () => {
    const started = await pipe('started');
    await start(`echo $$ $PWD > ${started}; sleep 1000`, 'sleep 1000', 'true');
    const [shell = '', checkout = ''] = (await heard(started)).split(' ');
    expect(existsSync(checkout)).toBe(true);
    await ci.close();
    expect(ci.isIdle()).toBe(true);
    await untilGone(shell);
    expect(existsSync(join(checkout, '..'))).toBe(false);
    expect(states()).toEqual(['job 1: in_progress', 'job 2: in_progress', 'job 3: queued']);
  });
});

describe('a head that cannot be checked out', () => {
  test('is a startup failure that says why', async () => {
    const owner = seedUser(world, { login: 'ada' });
    const jobs = [{ name: 'test', run: 'true', timeoutMs: 5000 }];
    const repository = await seedRepository(world, { owner, name: 'sandbox', settings: { ci: jobs } });
    const git = world.git(repository.id);
    const blob = await git.writeBlob(Buffer.from('x'));
    const tree = await git.writeTree(null, [{ path: 'a', mode: '100644', oid: blob }]);
    const person = { name: 'ada', email: 'ada@example.com', at: 0 };
    const oid = await git.writeCommit({ tree, parents: [], message: 'x', author: person, committer: person });
    await rm(join(git.path, 'objects', blob.slice(0, 2), blob.slice(2)));
    const pushed = { ref: 'refs/heads/main', before: null, after: oid, forced: false, commits: [] };
    await world.record({ userId: owner.id, viaAppId: null }, 'pushed', { repositoryId: repository.id }, pushed);
    await ci.idle();
    expect(states()).toEqual(['test: startup_failure']);
    expect(world.tables.checkRuns.all()[0]?.summary).toContain('The job could not be started: git -C');
  });
});
