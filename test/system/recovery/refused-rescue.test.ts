import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { execa } from 'execa';
import type { RefEffect } from '#pocket-github';
import { findRef } from '#pocket-github/testing';
import type { Clone } from '../../../src/ports/workspace.js';
import { rescueLeftovers } from '../../../src/usecases/maintenance/rescue-leftovers.js';
import { git } from '#pocket-github/test/git-http-fixture';
import { agentAnswering } from '../../support/agent/answering-agent.js';
import { tipOf } from '#pocket-github/test/branches';
import { standardAnswer } from '../../support/agent/standard-agent.js';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import { testFolder } from '../../support/git/git-host.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { openRealGitHarness, type RealGitHarness } from '../../support/service/real-git-harness.js';

/* Work that GitHub takes on no ref at all stays on the host, and the log says how to get it. */

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});
afterEach(() => p.pocket.faults.clear());

const KEPT = 'work refused by GitHub: kept on this host';
const SECRET: RefEffect = { kind: 'push-protection', secret: 'A token', path: 'half.txt:1' };
const FAILED: RefEffect = { kind: 'refuse-ref', reason: 'failed' };

const refuse = (effect: RefEffect): void => {
  p.pocket.faults.arm({ on: 'ref', match: { ref: 'refs/sluice/wip/*' }, occurrence: { always: true }, effect });
};

/** Half a file in a clone whose process is no more. */
async function orphanedClone({ workspace }: RealGitHarness): Promise<Clone> {
  const { signal } = new AbortController();
  const main = tipOf(p, 'main');
  const ref = { ...p.at, number: 7 };
  const clone = await workspace.open({ ref, phaseRun: 'run-1-work', at: main, base: main, signal });
  await writeFile(join(clone.path, 'half.txt'), 'half of it\n');
  const ended = execa('true');
  await ended;
  const path = join(dirname(clone.path), 'owner.json');
  const mark = JSON.parse(await readFile(path, 'utf8')) as { by: object };
  await writeFile(path, JSON.stringify({ ...mark, by: { ...mark.by, pid: ended.pid, startTime: '1' } }));
  return clone;
}

async function rescued(harness: RealGitHarness): Promise<void> {
  const { engine } = harness.instance;
  const note = { ref: { ...p.at, number: 7 }, phase: 'code', phaseRun: 'run-1', costUsd: 0 } as const;
  const runNotes = { ...engine.runNotes, leftovers: async () => [note], end: async () => undefined };
  await rescueLeftovers({ ...engine, runNotes }, harness.leftovers);
}

/** What the log tells people to do, done in a clone of theirs. */
async function fetched({ log }: RealGitHarness): Promise<string> {
  const folder = await testFolder();
  await git(folder, 'clone', '--quiet', p.gitUrl('wren'), '.');
  const how = log.said(KEPT).map(({ fields }) => ('how' in fields ? String(fields.how) : ''));
  const [program = '', ...args] = how[0]?.split(' ') ?? [];
  await execa(program, args, { cwd: folder });
  return folder;
}

test('a clone whose work is refused for good goes, and its work can be fetched on the host as the log says', async () => {
  const harness = await openRealGitHarness(p);
  const clone = await orphanedClone(harness);
  refuse(SECRET);
  await rescued(harness);
  expect(existsSync(clone.path)).toBe(false);
  expect(harness.log.said('unfinished work was saved')).toEqual([]);
  const folder = await fetched(harness);
  expect(await git(folder, 'show', 'FETCH_HEAD:half.txt')).toBe('half of it');
});

test('a clone whose work is refused for a moment stays until GitHub takes it', async () => {
  const harness = await openRealGitHarness(p);
  await orphanedClone(harness);
  refuse(FAILED);
  await rescued(harness);
  expect(harness.log.said(KEPT)).toEqual([]);
  p.pocket.faults.clear();
  await rescued(harness);
  expect(harness.log.said('unfinished work was saved')).toHaveLength(1);
  expect(findRef(p.pocket.world.tables, p.repository.id, 'refs/sluice/wip/7/run-1')).toBeDefined();
});

test('a clone stays when not even this host can keep its work', async () => {
  const harness = await openRealGitHarness(p, {
    gitHost: (usual) => ({ ...usual, keep: () => Promise.reject(new Error('the disk is full')) }),
  });
  await orphanedClone(harness);
  refuse(SECRET);
  await rescued(harness);
  const [leftover] = await harness.leftovers.find();
  expect(existsSync(leftover?.clone?.path ?? '')).toBe(true);
});

test('a workflow that GitHub does not store is kept on the host with the work around it', async () => {
  const path = '.github/workflows/ci.yml';
  const agent = agentAnswering(
    () => p,
    'code',
    async (job) => {
      const usual = await standardAnswer(job, 'XS');
      return usual.kind === 'works' ? { ...usual, files: { ...usual.files, [path]: 'on: push\n' } } : usual;
    },
  );
  const harness = await openRealGitHarness(p, { agent });
  await harness.open('wren');
  await harness.say('wren', 1, '/auto');
  await harness.finish();
  const { halt } = await harness.state(1);
  expect(halt).toMatchObject({ code: 'off-limits', because: expect.stringContaining('its log says where') });
  const folder = await fetched(harness);
  expect(await git(folder, 'show', `FETCH_HEAD:${path}`)).toBe('on: push');
  expect(await git(folder, 'show', 'FETCH_HEAD:work.txt')).toBe('done');
});
