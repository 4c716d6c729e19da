import { beforeEach, describe, expect, test } from '@jest/globals';
import { HALT_CODES } from '../../../src/domain/issue/halt-codes.js';
import type { Oid } from '../../../src/domain/issue/ids.js';
import { findRef } from '#pocket-github/testing';
import { deleteBranch, moveBranch, pushTo, replaceByRoot, tipOf } from '#pocket-github/test/branches';
import { interruptedAgent } from '../../support/agent/standard-agent.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { openReviewedPull } from '../../support/github/reviewed-pull-fixture.js';
import { afterCodeRun, CodeRunCounter, filesOnBranch } from '../../support/github/interleaving.js';

/* A person replaces the work branch by commits that have nothing in common with the repository: no agent can merge that. */

let p: TestPocket;
let paid: CodeRunCounter;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});
beforeEach(() => {
  paid = new CodeRunCounter();
});

const WORK = 'sluice/issue-1';
const THEIRS = { 'README.md': '# Something else\n', 'theirs.txt': 'theirs\n' };

const refAt = (name: string): Oid | null => findRef(p.pocket.world.tables, p.repository.id, name)?.oid ?? null;
const replace = (): Promise<Oid> => replaceByRoot(p, WORK, { files: THEIRS });

/** A reviewed pull request whose branch is replaced; `/auto` then looks at it. */
async function replacedPull() {
  const scene = await openReviewedPull(p, open, { agent: paid.counting((usual) => usual) });
  const ours = tipOf(p, WORK);
  const before = { code: paid.count, all: scene.prompts.length };
  p.clock.advance(1_000);
  const theirs = await replace();
  await scene.harness.say('wren', scene.issue, '/auto');
  await scene.harness.finish();
  const { halt, counters } = await scene.harness.state(scene.issue);
  expect(halt).toMatchObject({ state: 'needs-human', code: 'work-unrelated', because: expect.stringContaining(WORK) });
  expect({ code: paid.count, all: scene.prompts.length }).toEqual(before);
  expect(counters).toMatchObject({ conflictFixes: 0, failures: 0 });
  return { scene, ours, theirs };
}

describe('a work branch with a pull request', () => {
  test('asks for a person at once, pays for no run, and keeps both sides reachable', async () => {
    const { scene, ours, theirs } = await replacedPull();
    expect(refAt(`refs/heads/${WORK}`)).toBe(theirs);
    expect(refAt(`refs/sluice/before/1/${ours}`)).toBe(ours);
    expect(await scene.status()).toContain(`refs/sluice/before/1/${ours}`);
    expect(await scene.status()).toContain(HALT_CODES['work-unrelated'].remedy);
  });

  test('goes on where it was when the branch is put back, without another run for the code', async () => {
    const { scene, ours } = await replacedPull();
    expect(HALT_CODES['work-unrelated'].remedy).toContain('then run `/auto continue`');
    const before = paid.count;
    await moveBranch(p, WORK, ours);
    await scene.harness.say('wren', scene.issue, '/auto continue');
    await scene.harness.finish();
    expect(await scene.harness.labels(scene.issue)).toContain('phase/done');
    expect(paid.count).toBe(before);
  });

  test('is written anew by `/auto retry code`, which keeps what they pushed', async () => {
    const { scene, theirs } = await replacedPull();
    expect(HALT_CODES['work-unrelated'].remedy).toContain('`/auto retry code`');
    await scene.harness.say('wren', scene.issue, '/auto retry code');
    await scene.harness.finish();
    expect(await scene.harness.labels(scene.issue)).toContain('phase/done');
    expect(refAt(`refs/sluice/before/1/${theirs}`)).toBe(theirs);
    expect(await filesOnBranch(p, 'main', ['theirs.txt', 'README.md'])).toEqual({ 'README.md': '# Sandbox\n' });
  });
});

describe('a work branch that appears while the agent writes', () => {
  test.each([
    ['with files of the same name', THEIRS],
    ['with other files only', { 'theirs.txt': 'theirs\n' }],
  ])('%s is left alone, and our work is ready beside it', async (_, files) => {
    const made = { theirs: '' };
    const act = async (): Promise<void> => {
      made.theirs = await replaceByRoot(p, WORK, { files });
    };
    const desk = await open({ size: 'M', agent: paid.counting(afterCodeRun(1, act)) });
    await desk.open('wren');
    await desk.say('wren', 1, '/auto');
    await desk.finish();
    const { halt, counters } = await desk.state(1);
    expect(halt).toMatchObject({ state: 'needs-human', code: 'work-unrelated' });
    expect({ runs: paid.count, failures: counters.failures }).toEqual({ runs: 1, failures: 0 });
    expect(refAt(`refs/heads/${WORK}`)).toBe(made.theirs);
    const kept = p.pocket.world.tables.refs.all().filter(({ name }) => name.startsWith('refs/sluice/wip/1/'));
    expect(kept).toHaveLength(1);
    await moveBranch(p, WORK, tipOf(p, 'main'));
    await desk.say('wren', 1, '/auto continue');
    await desk.finish();
    expect(await desk.labels(1)).toContain('phase/done');
    // The review sends it back once; the first version was not written again.
    expect(paid.count).toBe(2);
  });
});

test('unfinished work on a branch that was replaced is written anew by `/auto retry code`', async () => {
  const desk = await open({ size: 'M', agent: () => interruptedAgent(p.clock, 'M', 'stalls') });
  await desk.open('wren');
  await desk.say('wren', 1, '/auto --max-iterations 3');
  await desk.finish();
  expect((await desk.state(1)).progress.wip).toBe(tipOf(p, WORK));
  await replace();
  await desk.say('wren', 1, '/auto --max-iterations 9');
  await desk.finish();
  expect((await desk.state(1)).halt).toMatchObject({ code: 'work-unrelated' });
  await desk.say('wren', 1, '/auto retry code');
  await desk.finish();
  expect((await desk.state(1)).halt?.code).not.toBe('work-unrelated');
  expect(await filesOnBranch(p, WORK, ['theirs.txt', 'README.md'])).toEqual({ 'README.md': '# Sandbox\n' });
});

test('another instance finds our work on its ref when the branch that replaced it is gone', async () => {
  const { scene, ours } = await replacedPull();
  await scene.harness.close();
  const other = await open({ size: 'M', agent: paid.counting((usual) => usual) });
  const before = paid.count;
  await deleteBranch(p, WORK);
  await other.say('wren', 1, '/auto');
  await other.finish();
  expect((await other.state(1)).halt).toMatchObject({ code: 'pr-closed' });
  await other.say('wren', 1, '/auto');
  await other.finish();
  expect(await other.labels(1)).toContain('phase/done');
  expect(paid.count).toBe(before);
  expect(refAt(`refs/sluice/before/1/${ours}`)).toBe(ours);
});

test('a branch that people rewrote from a commit of the base branch is no such case', async () => {
  const scene = await openReviewedPull(p, open, { agent: paid.counting((usual) => usual) });
  p.clock.advance(1_000);
  await pushTo(p, WORK, { files: { 'work.txt': 'done and polished\n', 'diary.txt': 'x\n' }, onto: tipOf(p, 'main') });
  await scene.harness.say('wren', scene.issue, '/auto');
  await scene.harness.finish();
  expect(await scene.harness.labels(scene.issue)).toContain('phase/done');
});
