import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { createWorkspace } from '../../../src/adapters/workspace/workspace.js';
import { parseRepoConfig } from '../../../src/config/repo-config.js';
import type { GitHost } from '../../../src/ports/git-host.js';
import type { Clone } from '../../../src/ports/workspace.js';
import { CONFIG } from '../../contract/suites/workspace-contract.js';
import { git } from '#pocket-github/test/git-http-fixture';
import { pushTo, tipOf } from '#pocket-github/test/branches';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { openGitHost, QUIET, testFolder } from '../../support/git/git-host.js';
import { SMALL } from '../../support/sandbox/limited-shell.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { openBubblewrap } from '../../support/sandbox/bubblewrap.js';

/* C8–C11 by what a repository runs: setup, tests and criteria are held like agents, and work is saved from a full clone. */

let p: TestPocket;
let host: GitHost;
let folder: string;
const { signal } = new AbortController();
freshPocketEachTest((pocket) => {
  p = pocket;
});
beforeEach(async () => {
  ({ host } = await openGitHost(p));
  folder = await testFolder();
});

function clone(files = SMALL.files): Promise<Clone> {
  const sandbox = openBubblewrap({ clock: systemClock, graceMs: 1000, resources: { ...SMALL, files, fileMb: 100 } });
  const workspace = createWorkspace({
    folder,
    gitHost: host,
    sandbox,
    parseConfig: parseRepoConfig,
    config: CONFIG,
    log: QUIET,
  });
  const main = tipOf(p, 'main');
  return workspace.open({ ref: { ...p.at, number: 7 }, phaseRun: 'run-1-work', at: main, base: main, signal });
}

const GREEDY = `perl -e '$x = "a" x (200 << 20); sleep 1000'`;
const FILL = 'for i in $(seq 30); do head -c 2M /dev/urandom > junk-$i; done; sleep 1000';

describe('commands of a repository', () => {
  test('a setup that takes too much stops the run and says which limit', async () => {
    await pushTo(p, 'main', { files: { '.github/sluice.yml': `setup: |\n  ${GREEDY}\n` } });
    await expect(clone()).rejects.toMatchObject({
      problem: 'limits',
      message: expect.stringContaining('64 are allowed (SLUICE_SANDBOX_MEMORY_MB)'),
    });
    expect(existsSync(`${folder}/ada+sandbox/run-1-work`)).toBe(false);
  });

  test('tests and criteria that take too much have not passed, and it is said why', async () => {
    const opened = await clone();
    const said = { passed: false, overLimit: true, output: expect.stringContaining('(SLUICE_SANDBOX_MEMORY_MB)') };
    expect(await opened.run(`echo begun; ${GREEDY}`, signal)).toEqual(said);
    expect(await opened.check({ kind: 'command', run: GREEDY }, signal)).toEqual(said);
  });
});

describe('a clone that was filled up', () => {
  const filesOf = async (oid: string | null): Promise<string[]> =>
    (await git(await host.mirror(p.at), 'ls-tree', '-r', '--name-only', String(oid))).split('\n');

  test('what was committed, changed and newly written is saved, without the junk', async () => {
    await pushTo(p, 'main', { files: { 'old.txt': 'old\n', 'gone.txt': 'gone\n' } });
    const opened = await clone();
    await opened.run('echo 1 > committed.txt; git add committed.txt; git commit -qm one', signal);
    const work = "echo new > old.txt; rm gone.txt; mkdir 'a b'; echo 1 > 'a b/-*.txt'";
    expect(await opened.run(`${work}; ${FILL}`, signal)).toMatchObject({ overLimit: true });
    const saved = await opened.collect('Unfinished work', signal, 'essentials');
    const files = await filesOf(saved);
    expect(files).toEqual(expect.arrayContaining(['committed.txt', 'old.txt', 'a b/-*.txt']));
    expect(files).not.toContain('gone.txt');
    // The one that was being written when it was ended is small.
    expect(files.filter((file) => file.startsWith('junk')).length).toBeLessThanOrEqual(1);
    expect(await git(await host.mirror(p.at), 'show', `${saved}:old.txt`)).toBe('new');
  });

  test('a flood of small files is left out, and what git knew is saved', async () => {
    await pushTo(p, 'main', { files: { 'old.txt': 'old\n' } });
    const opened = await clone(3000);
    const flood = 'mkdir many; for i in $(seq 4000); do echo $i > many/$i; done; sleep 1000';
    expect(await opened.run(`echo new > old.txt; ${flood}`, signal)).toMatchObject({ overLimit: true });
    const files = await filesOf(await opened.collect('Unfinished work', signal, 'essentials'));
    expect(files).toContain('old.txt');
    expect(files.filter((file) => file.startsWith('many/'))).toEqual([]);
  });

  test('folders nested deeper than any path leads are removed with it', async () => {
    const opened = await clone();
    await opened.run(`perl -e 'for (1..60) { mkdir "a" x 100; chdir "a" x 100 } sleep 1000'`, signal);
    await opened.dispose();
    expect(existsSync(dirname(opened.path))).toBe(false);
  });
});
