import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Agent } from '../../../src/ports/agent.js';
import { pushTo } from '#pocket-github/test/branches';
import { interruptedAgent } from '../../support/agent/standard-agent.js';
import type { EngineHarness, EngineHarnessOptions } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import { agentHeldAt } from '../../support/agent/held-agent.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { beforePush, afterCodeRun, CodeRunCounter, filesOnBranch } from '../../support/github/interleaving.js';

/* People and agents work on the same branches: nothing of either is lost, and nobody pays twice for a push that came in between. */

let p: TestPocket;
let paid: CodeRunCounter;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});
beforeEach(() => {
  paid = new CodeRunCounter();
});

async function asked(
  command: string,
  { agent = (usual) => usual, ...options }: EngineHarnessOptions,
): Promise<EngineHarness> {
  const harness = await open({ ...options, agent: paid.counting(agent) });
  await harness.open('wren');
  await harness.say('wren', 1, command);
  return harness;
}

const WORK = 'sluice/issue-1';
const THEIRS = { 'theirs.txt': 'theirs\n', 'README.md': '# Theirs\n' };

const files = () => filesOnBranch(p, 'main', ['work.txt', 'theirs.txt', 'README.md', 'human.txt']);

/** Leaves the work unfinished the first time, so that it is sent back. */
function secondTry(): (usual: Agent) => Agent {
  const tried = { yet: false };
  return (usual) => ({
    run: async (job) => {
      const outcome = await usual.run(job);
      if (job.phase !== 'code' || tried.yet) return outcome;
      tried.yet = true;
      await land();
      await writeFile(join(job.clone.path, 'work.txt'), 'not yet\n');
      return outcome;
    },
  });
}
const land = (): Promise<unknown> => pushTo(p, 'main', { files: THEIRS });

const DONE = ['phase/done', 'size/XS', 'triaged'];
const ONE_PULL_DONE = ['phase/done', 'size/M', 'triaged'];

describe('what others landed on base is still there after', () => {
  const landed = { ...THEIRS, 'work.txt': expect.stringContaining('done') };

  test('a first attempt that was sent back', async () => {
    const harness = await asked('/auto', { size: 'XS', agent: secondTry() });
    await harness.finish();
    expect(await harness.labels(1)).toEqual(DONE);
    expect(await files()).toEqual(landed);
  });

  test('a run that was paused in the middle and went on', async () => {
    const harness = await open({ size: 'XS', agent: () => interruptedAgent(p.clock, 'XS', 'stalls') });
    await harness.open('wren');
    await harness.say('wren', 1, '/auto --max-iterations 2');
    await harness.finish();
    expect(await harness.labels(1)).toContain('auto/paused');
    await land();
    await harness.say('wren', 1, '/auto --resume --max-iterations 9');
    await harness.finish();
    expect(await harness.labels(1)).toEqual(DONE);
    expect(await files()).toEqual(landed);
  });

  test('a push to base at the very moment of the landing: squashed and tested again, not paid again', async () => {
    const harness = await asked('/auto', { size: 'XS', gitHost: beforePush('main', land) });
    await harness.finish();
    expect(await harness.labels(1)).toEqual(DONE);
    expect(await files()).toEqual(landed);
    expect(paid.count).toBe(1);
  });
});

describe('what people push to the work branch', () => {
  const human = () => pushTo(p, WORK, { files: { 'human.txt': 'mine\n' } });
  const both = { 'human.txt': 'mine\n', 'work.txt': 'done and polished\n', 'README.md': '# Sandbox\n' };

  test('between review and fix is part of the fix', async () => {
    const held = agentHeldAt('review');
    const harness = await open({ size: 'M', agent: paid.counting(held.agent) });
    await harness.open('wren');
    const saying = harness.say('wren', 1, '/auto');
    await harness.settle();
    const driving = harness.finish();
    await held.reached;
    await human();
    held.open();
    await saying;
    await driving;
    await harness.finish();
    expect(await harness.labels(1)).toEqual(ONE_PULL_DONE);
    expect(await files()).toEqual(both);
  });

  test('while the agent writes is merged into what it writes, without another run', async () => {
    const harness = await asked('/auto', { size: 'M', agent: afterCodeRun(2, human) });
    await harness.finish();
    expect(await harness.labels(1)).toEqual(ONE_PULL_DONE);
    expect(await files()).toEqual(both);
    expect(paid.count).toBe(2);
  });

  test('and what conflicts with it: theirs stays on the branch, ours is kept beside it and told to the next run', async () => {
    const told = { theirs: '' };
    const theirs = async (): Promise<void> => {
      told.theirs = await pushTo(p, WORK, { files: { 'work.txt': 'theirs, done and polished\n' } });
    };
    const harness = await asked('/auto', { size: 'M', agent: afterCodeRun(2, theirs) });
    await harness.finish();
    const kept = p.pocket.world.tables.refs.all().filter(({ name }) => name.startsWith('refs/sluice/wip/1/'));
    expect({ labels: await harness.labels(1), kept: kept.length, runs: paid.count }).toEqual({
      labels: ONE_PULL_DONE,
      kept: 0,
      runs: 3,
    });
    const [first] = p.pocket.world.tables.pulls.all();
    const git = p.pocket.world.git(p.repository.id);
    expect(await git.isAncestor(told.theirs, first?.headOid ?? '')).toBe(true);
  });
});
