import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Size } from '../../src/domain/size.js';
import { pushTo, tipOf } from '../support/branches.js';
import { answering, listening } from '../support/answering-agent.js';
import { crashAnswer } from '../support/crash-agent.js';
import { freshEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/pocket.js';
import { openRealDesk } from '../support/real-desk.js';
import { textsOn } from '../support/shared-work.js';
import type { AgentJob } from '../../src/ports/agent.js';

/* Work that changes what only people may change: a permitted person lets exactly that commit go on, or has it done otherwise. */

let p: TestPocket;
freshEachTest((pocket) => {
  p = pocket;
});
const agent = { isBold: true };
beforeEach(() => {
  agent.isBold = true;
});
const OWNERS = 'CODEOWNERS';

/** An agent that writes one file too many, for as long as it is bold. */
const bold = (size: Size) =>
  answering(
    () => p,
    'code',
    async (job) => {
      const usual = await crashAnswer(job, size);
      return usual.kind === 'works' ? { ...usual, files: { ...usual.files, [OWNERS]: '* @ada\n' } } : usual;
    },
    () => agent.isBold,
  );

async function held(size: Size = 'XS') {
  const told: AgentJob[] = [];
  const desk = await openRealDesk(p, { size, agent: listening(told, bold(size)), policy: { checksDwellMs: 0 } });
  const number = await desk.open('wren');
  await desk.say('wren', number, '/auto');
  await desk.finish();
  const { halt, progress } = await desk.state(number);
  expect(halt).toMatchObject({ state: 'needs-human', code: 'off-limits' });
  return {
    desk,
    number,
    told,
    commit: progress.held?.commit ?? '',
    codeRuns: () => told.filter(({ phase }) => phase === 'code').length,
  };
}

describe('an approval', () => {
  test('of exactly that commit lands it, in the name of whoever gave it and without another agent run', async () => {
    const { desk, number, commit, codeRuns } = await held();
    expect(await desk.said(number)).toContainEqual(expect.stringContaining(`/auto approve ${commit.slice(0, 12)}`));
    expect(await desk.said(number)).toContainEqual(expect.stringContaining(`${commit} is kept beside the branch`));
    await desk.say('wren', number, `/auto approve ${commit.slice(0, 7).toUpperCase()}`);
    await desk.finish();
    expect(await desk.labels(number)).toContain('phase/done');
    expect(codeRuns()).toBe(1);
    expect(await textsOn(p, 'main', [OWNERS, 'work.txt'])).toEqual({ [OWNERS]: '* @ada\n', 'work.txt': 'done\n' });
    expect((await desk.said(number)).join('\n')).toContain(
      `wren approved commit ${commit} with its changes to ${OWNERS}`,
    );
    const { transitions } = await desk.state(number);
    expect(transitions.map(({ because }) => because).join('\n')).toContain(
      `wren approved commit ${commit.slice(0, 12)} with its changes to ${OWNERS}`,
    );
  });

  test('that names no commit, another one, or the same by too few digits approves nothing and says how', async () => {
    const { desk, number, commit } = await held();
    for (const words of ['/auto approve', '/auto approve 0123456789ab']) {
      await desk.say('wren', number, words);
      expect((await desk.state(number)).halt).toMatchObject({ code: 'off-limits' });
    }
    const answers = (await desk.said(number)).filter((body) => body.includes('Only one commit waits for an approval'));
    expect(answers.length).toBeGreaterThan(0);
    expect(answers[0]).toContain(`/auto approve ${commit.slice(0, 12)}`);
    expect(await textsOn(p, 'main', [OWNERS])).toEqual({});
    await desk.say('wren', number, `/auto approve ${commit.slice(0, 12)}`);
    await desk.finish();
    expect(await desk.labels(number)).toContain('phase/done');
  });

  test('by somebody who may not drive issues is none, however exact', async () => {
    const { desk, number, commit } = await held();
    for (const who of ['mallory', 'tess'] as const) await desk.say(who, number, `/auto approve ${commit}`);
    await desk.finish();
    expect((await desk.state(number)).progress.held).toMatchObject({ approvedBy: null });
    expect(await textsOn(p, 'main', [OWNERS])).toEqual({});
  });

  test('goes with the work through a pull request and its fix rounds', async () => {
    const { desk, number, commit } = await held('M');
    agent.isBold = false;
    await desk.say('wren', number, `/auto approve ${commit}`);
    await desk.finish();
    expect(await desk.labels(number)).toContain('phase/done');
    expect(await textsOn(p, 'main', [OWNERS, 'work.txt'])).toEqual({
      [OWNERS]: '* @ada\n',
      'work.txt': 'done and polished\n',
    });
  });
});

describe('without an approval', () => {
  test('`/auto continue TEXT` has it done otherwise, from a commit without that change', async () => {
    const { desk, number, commit, told } = await held();
    agent.isBold = false;
    await desk.say('wren', number, '/auto continue Leave the owners alone.');
    await desk.finish();
    expect(await desk.labels(number)).toContain('phase/done');
    expect(await textsOn(p, 'main', [OWNERS, 'work.txt'])).toEqual({ 'work.txt': 'done\n' });
    const again = told.findLast(({ phase }) => phase === 'code')?.prompt ?? '';
    expect(again).toContain(`changes files only people may change: ${commit}`);
    expect(again).toContain(`The clone stands at: `);
    expect(again).not.toContain(`The clone stands at: ${commit}`);
    await desk.say('wren', number, `/auto approve ${commit}`);
    expect(await textsOn(p, 'main', [OWNERS])).toEqual({});
  });

  test('what somebody left on a ref of its own is not gone on with either', async () => {
    const told: AgentJob[] = [];
    const desk = await openRealDesk(p, { agent: listening(told) });
    const evil = await pushTo(p, 'evil', { files: { [OWNERS]: '* @mallory\n' } });
    await p.rest('ada').rest.git.createRef({ ...p.at, ref: 'refs/sluice/wip/1/run', sha: evil });
    await p.rest('ada').rest.git.deleteRef({ ...p.at, ref: 'heads/evil' });
    const number = await desk.open('wren');
    await desk.say('wren', number, '/auto');
    await desk.finish();
    expect(await desk.labels(number)).toContain('phase/done');
    expect(await textsOn(p, 'main', [OWNERS, 'work.txt'])).toEqual({ 'work.txt': 'done\n' });
    expect(told.find(({ phase }) => phase === 'code')?.prompt).toContain(evil);
    expect(tipOf(p, 'main')).not.toBe(evil);
  });
});
