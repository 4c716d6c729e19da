import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { execa } from 'execa';
import { createWorkspace } from '../../../src/adapters/workspace/workspace.js';
import { createLeftovers } from '../../../src/adapters/workspace/leftover-clones.js';
import type { ProcessLimits } from '../../../src/adapters/sandbox/process/process-tree.js';
import { parseRepoConfig } from '../../../src/config/repo-config.js';
import type { GitHost } from '../../../src/ports/git-host.js';
import type { Leftovers } from '../../../src/ports/leftovers.js';
import type { Sandbox } from '../../../src/ports/sandbox.js';
import type { Clone, Workspace } from '../../../src/ports/workspace.js';
import { git } from '#pocket-github/test/git-http-fixture';
import { tipOf } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { openGitHost, QUIET, testFolder } from '../../support/git/git-host.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { CONFIG } from './workspace-contract.js';

/** Clones of services that died, with any sandbox. */
export function leftoversContract(name: string, openSandbox: (limits: ProcessLimits) => Sandbox): void {
  let p: TestPocket;
  let host: GitHost;
  let folder: string;
  let workspace: Workspace;
  let one: Leftovers;
  let other: Leftovers;
  const { signal } = new AbortController();
  freshPocketEachTest((pocket) => {
    p = pocket;
  });
  beforeEach(async () => {
    ({ host } = await openGitHost(p));
    folder = await testFolder();
    const sandbox = openSandbox({ clock: p.clock, graceMs: 5000 });
    const common = { folder, gitHost: host, sandbox, config: CONFIG, log: QUIET };
    workspace = createWorkspace({ ...common, parseConfig: parseRepoConfig });
    one = createLeftovers({ ...common, clock: p.clock });
    other = createLeftovers({ ...common, clock: p.clock });
  });

  const clone = (phaseRun = 'run-1-work'): Promise<Clone> =>
    workspace.open({ ref: { ...p.at, number: 7 }, phaseRun, at: tipOf(p, 'main'), base: tipOf(p, 'main'), signal });
  const markOf = (opened: Clone): string => join(dirname(opened.path), 'owner.json');
  const change = async (opened: Clone, by: object): Promise<void> => {
    const mark = JSON.parse(await readFile(markOf(opened), 'utf8')) as { by: object };
    await writeFile(markOf(opened), JSON.stringify({ ...mark, by: { ...mark.by, ...by } }));
  };
  /** As if the process that made it had died. */
  const orphan = async (opened: Clone): Promise<void> => {
    const ended = execa('true');
    await ended;
    await change(opened, { pid: ended.pid, startTime: '1' });
  };
  const filesIn = (path: string): Promise<string[]> => readdir(path).catch(() => []);

  describe(`leftovers in ${name}`, () => {
    test('a clone of a live service is nobody else’s', async () => {
      await clone();
      expect(await one.find()).toEqual([]);
    });

    test('a clone whose service died is found once, with its work, and goes without a trace', async () => {
      const opened = await clone();
      await opened.run('echo half > half.txt; git add half.txt; git commit -qm half; echo more > more.txt', signal);
      await orphan(opened);
      const found = await Promise.all([one.find(), other.find()]);
      expect(found.flat()).toHaveLength(1);
      const [leftover] = found.flat();
      expect(leftover).toMatchObject({ ref: { ...p.at, number: 7 }, phaseRun: 'run-1', name: 'work' });
      const oid = await leftover?.clone?.collect('Unfinished work', signal);
      const files = await git(await host.mirror(p.at), 'ls-tree', '-r', '--name-only', String(oid));
      expect(files.split('\n')).toEqual(expect.arrayContaining(['half.txt', 'more.txt']));
      await leftover?.dispose();
      expect(await filesIn(join(folder, 'ada+sandbox'))).toEqual([]);
    });

    test('what is given back is found again', async () => {
      await orphan(await clone());
      for (const leftover of await one.find()) await leftover.giveBack();
      expect(await other.find()).toHaveLength(1);
      expect(await one.find()).toEqual([]);
    });

    test('a process that has its number now, or the machine’s next start, does not keep it', async () => {
      await change(await clone('run-2-work'), { startTime: '1' });
      await change(await clone('run-3-check'), { numbering: 'another boot' });
      const found = (await one.find()).map(({ phaseRun, name: what }) => `${phaseRun} ${what}`);
      expect(new Set(found)).toEqual(new Set(['run-2 work', 'run-3 check']));
    });

    test('a clone of another machine that shares the folder is left alone', async () => {
      await change(await clone(), { host: 'another-machine', pid: 1 });
      expect(await one.find()).toEqual([]);
    });

    test('links in the folder are not followed, and folders without a mark are left alone', async () => {
      const outside = await testFolder();
      const opened = await clone();
      await orphan(opened);
      await execa('mv', [dirname(opened.path), join(outside, 'run-1-work')]);
      await symlink(join(outside, 'run-1-work'), join(folder, 'ada+sandbox', 'run-1-work'));
      await symlink(outside, join(folder, 'ada+other'));
      await mkdir(join(folder, 'ada+sandbox', 'run-9-work'));
      expect(await one.find()).toEqual([]);
      expect(existsSync(join(outside, 'run-1-work', 'clone'))).toBe(true);
    });

    test('a clone that never became whole has no work', async () => {
      const opened = await clone();
      await rm(join(dirname(opened.path), 'start'));
      await orphan(opened);
      expect((await one.find())[0]?.clone).toBeNull();
    });
  });
}
