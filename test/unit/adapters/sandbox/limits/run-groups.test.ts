import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { systemClock } from '../../../../../src/adapters/clock/system-clock.js';
import { detectSandbox } from '../../../../../src/adapters/sandbox/detect-sandbox.js';
import { createRunGroups, groupsProblem } from '../../../../../src/adapters/sandbox/limits/run-groups.js';
import { DEFAULT_SANDBOX_LIMITS } from '../../../../../src/domain/limits/sandbox-limits.js';
import { afterThisTest } from '../../../../support/clean-up.js';
import { until } from '../../../../support/until.js';

/* cgroups, as far as a plain folder can stand for one: what is written where. No kernel was asked. */

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cgroup-'));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'cgroup.subtree_control'), 'cpu memory pids\n');
});

test('a run gets a group of its own with its limits, which is emptied and removed after it', async () => {
  const group = await createRunGroups(folder).open(DEFAULT_SANDBOX_LIMITS);
  const read = (name: string): Promise<string> => readFile(join(group.path, name), 'utf8');
  expect(await readdir(folder)).toContain(group.path.slice(folder.length + 1));
  expect(await read('memory.max')).toBe(String(4096 * 1024 * 1024));
  expect(await read('pids.max')).toBe('8192');
  expect([await read('memory.swap.max'), await read('memory.oom.group')]).toEqual(['0', '1']);
  expect(await group.excess()).toBeNull();
  const closing = group.close();
  await until('it is emptied', async () => (await read('cgroup.kill').catch(() => '')) === '1');
  // A kernel's files go with their folder.
  for (const name of await readdir(group.path)) await rm(join(group.path, name));
  await closing;
  expect(await readdir(folder)).toEqual(['cgroup.subtree_control']);
});

test('a process that the kernel ended for its memory is told', async () => {
  const group = await createRunGroups(folder).open(DEFAULT_SANDBOX_LIMITS);
  await writeFile(join(group.path, 'memory.events'), 'low 0\nmax 12\noom 1\noom_kill 3\n');
  expect(await group.excess()).toMatchObject({ limit: 'memory', allowed: 4096 });
});

test('a folder that is no cgroup of ours is not used, and it is said why', async () => {
  expect(await groupsProblem(folder)).toBeNull();
  await writeFile(join(folder, 'cgroup.subtree_control'), 'cpu\n');
  expect(await groupsProblem(folder)).toContain('does not name memory and pids');
  const plain = join(folder, 'plain');
  await mkdir(plain);
  expect(await groupsProblem(plain)).toContain('is no cgroup of version 2');
  const { cgroupProblem } = await detectSandbox({ clock: systemClock, graceMs: 0, path: '', cgroup: plain });
  expect(cgroupProblem).toContain('is no cgroup of version 2');
});
