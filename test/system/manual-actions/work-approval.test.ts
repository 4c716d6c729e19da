import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Size } from '../../../src/domain/issue/size.js';
import { pushTo, tipOf } from '#pocket-github/test/branches';
import { agentAnswering, recordingJobs } from '../../support/agent/answering-agent.js';
import { standardAnswer } from '../../support/agent/standard-agent.js';
import { freshPocketEachTest } from '#pocket-github/test/fresh-pocket';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { openRealGitHarness } from '../../support/service/real-git-harness.js';
import { filesOnBranch } from '../../support/github/interleaving.js';
import type { AgentJob } from '../../../src/ports/agent.js';

/* Work that changes what only people may change: a permitted person lets exactly that commit go on, or has it done otherwise. */

let p: TestPocket;
freshPocketEachTest((pocket) => {
  p = pocket;
});
const agent = { isBold: true };
beforeEach(() => {
  agent.isBold = true;
});
const OWNERS = 'CODEOWNERS';

/** An agent that writes one file too many, for as long as it is bold. */
const bold = (size: Size) =>
  agentAnswering(
    () => p,
    'code',
    async (job) => {
      const usual = await standardAnswer(job, size);
      return usual.kind === 'works' ? { ...usual, files: { ...usual.files, [OWNERS]: '* @ada\n' } } : usual;
    },
    () => agent.isBold,
  );

async function held(size: Size = 'XS') {
  const told: AgentJob[] = [];
  const harness = await openRealGitHarness(p, {
    size,
    agent: recordingJobs(told, bold(size)),
    policy: { checksDwellMs: 0 },
  });
  const number = await harness.open('wren');
  await harness.say('wren', number, '/auto');
  await harness.finish();
  const { halt, progress } = await harness.state(number);
  expect(halt).toMatchObject({ state: 'needs-human', code: 'off-limits' });
  return {
    harness,
    number,
    told,
    commit: progress.held?.commit ?? '',
    codeRuns: () => told.filter(({ phase }) => phase === 'code').length,
  };
}

describe('an approval', () => {
  test('of exactly that commit lands it, in the name of whoever gave it and without another agent run', async () => {
    const { harness, number, commit, codeRuns } = await held();
    expect(await harness.said(number)).toContainEqual(expect.stringContaining(`/auto approve ${commit.slice(0, 12)}`));
    expect(await harness.said(number)).toContainEqual(expect.stringContaining(`${commit} is kept beside the branch`));
    await harness.say('wren', number, `/auto approve ${commit.slice(0, 7).toUpperCase()}`);
    await harness.finish();
    expect(await harness.labels(number)).toContain('phase/done');
    expect(codeRuns()).toBe(1);
    expect(await filesOnBranch(p, 'main', [OWNERS, 'work.txt'])).toEqual({
      [OWNERS]: '* @ada\n',
      'work.txt': 'done\n',
    });
    expect((await harness.said(number)).join('\n')).toContain(
      `wren approved commit ${commit} with its changes to ${OWNERS}`,
    );
    const { transitions } = await harness.state(number);
    expect(transitions.map(({ because }) => because).join('\n')).toContain(
      `wren approved commit ${commit.slice(0, 12)} with its changes to ${OWNERS}`,
    );
  });

  test('that names no commit, another one, or the same by too few digits approves nothing and says how', async () => {
    const { harness, number, commit } = await held();
    for (const words of ['/auto approve', '/auto approve 0123456789ab']) {
      await harness.say('wren', number, words);
      expect((await harness.state(number)).halt).toMatchObject({ code: 'off-limits' });
    }
    const answers = (await harness.said(number)).filter((body) =>
      body.includes('Only one commit waits for an approval'),
    );
    expect(answers.length).toBeGreaterThan(0);
    expect(answers[0]).toContain(`/auto approve ${commit.slice(0, 12)}`);
    expect(await filesOnBranch(p, 'main', [OWNERS])).toEqual({});
    await harness.say('wren', number, `/auto approve ${commit.slice(0, 12)}`);
    await harness.finish();
    expect(await harness.labels(number)).toContain('phase/done');
  });

  test('by somebody who may not drive issues is none, however exact', async () => {
    const { harness, number, commit } = await held();
    for (const who of ['mallory', 'tess'] as const) await harness.say(who, number, `/auto approve ${commit}`);
    await harness.finish();
    expect((await harness.state(number)).progress.held).toMatchObject({ approvedBy: null });
    expect(await filesOnBranch(p, 'main', [OWNERS])).toEqual({});
  });

  test('goes with the work through a pull request and its fix rounds', async () => {
    const { harness, number, commit } = await held('M');
    agent.isBold = false;
    await harness.say('wren', number, `/auto approve ${commit}`);
    await harness.finish();
    expect(await harness.labels(number)).toContain('phase/done');
    expect(await filesOnBranch(p, 'main', [OWNERS, 'work.txt'])).toEqual({
      [OWNERS]: '* @ada\n',
      'work.txt': 'done and polished\n',
    });
  });
});

describe('without an approval', () => {
  test('`/auto continue TEXT` has it done otherwise, from a commit without that change', async () => {
    const { harness, number, commit, told } = await held();
    agent.isBold = false;
    await harness.say('wren', number, '/auto continue Leave the owners alone.');
    await harness.finish();
    expect(await harness.labels(number)).toContain('phase/done');
    expect(await filesOnBranch(p, 'main', [OWNERS, 'work.txt'])).toEqual({ 'work.txt': 'done\n' });
    const again = told.findLast(({ phase }) => phase === 'code')?.prompt ?? '';
    expect(again).toContain(`changes files only people may change: ${commit}`);
    expect(again).toContain(`The clone stands at: `);
    expect(again).not.toContain(`The clone stands at: ${commit}`);
    await harness.say('wren', number, `/auto approve ${commit}`);
    expect(await filesOnBranch(p, 'main', [OWNERS])).toEqual({});
  });

  test('what somebody left on a ref of its own is not gone on with either', async () => {
    const told: AgentJob[] = [];
    const harness = await openRealGitHarness(p, { agent: recordingJobs(told) });
    const evil = await pushTo(p, 'evil', { files: { [OWNERS]: '* @mallory\n' } });
    await p.rest('ada').rest.git.createRef({ ...p.at, ref: 'refs/sluice/wip/1/run', sha: evil });
    await p.rest('ada').rest.git.deleteRef({ ...p.at, ref: 'heads/evil' });
    const number = await harness.open('wren');
    await harness.say('wren', number, '/auto');
    await harness.finish();
    expect(await harness.labels(number)).toContain('phase/done');
    expect(await filesOnBranch(p, 'main', [OWNERS, 'work.txt'])).toEqual({ 'work.txt': 'done\n' });
    expect(told.find(({ phase }) => phase === 'code')?.prompt).toContain(evil);
    expect(tipOf(p, 'main')).not.toBe(evil);
  });
});
