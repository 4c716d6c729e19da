import { expect, test } from '@jest/globals';
import { type HaltCode, HALT_CODES } from '../../../src/domain/issue/halt-codes.js';
import type { Agent } from '../../../src/ports/agent.js';
import { agentAnswering, triageResult } from '../../support/agent/answering-agent.js';
import type { EngineHarness, EngineHarnessOptions } from '../../support/service/engine-harness.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* What people are told to do when a run has stopped is done here, word for word, and the issue comes to its end. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});

/** One stop: how it comes about, and the way out as its text gives it. */
interface Stop {
  readonly code: HaltCode;
  readonly options: (isSick: () => boolean) => EngineHarnessOptions;
  readonly body?: string;
  readonly ask?: string;
  /** A part of the remedy's own text: what is done is what it says. */
  readonly says: string;
  /** Does it. Answers the issue that is done after that, where it is another one. */
  readonly act: (harness: EngineHarness, number: number) => Promise<number | void>;
}

const say =
  (text: string): Stop['act'] =>
  (harness, number) =>
    harness.say('wren', number, text);

/** A person writes this while the first phase runs. */
const interrupted = (text: string) => (isSick: () => boolean) => ({
  agent: (usual: Agent): Agent => ({
    run: async (job) => {
      if (job.phase === 'issue' && isSick())
        await p.rest('wren').rest.issues.createComment({ ...p.at, issue_number: 1, body: text });
      return usual.run(job);
    },
  }),
});

const BOXES = '- [ ] The work is done <!-- verify: file_contains work.txt done -->\n- [ ] It looks right\n';
const failing = (isSick: () => boolean) =>
  agentAnswering(
    () => p,
    'verify',
    () => ({ results: [{ id: 'c2', verdict: isSick() ? 'FAIL' : 'PASS', evidence: 'work.txt:1 looks so' }] }),
  );

const STOPS: readonly Stop[] = [
  {
    code: 'xl-unsupported',
    options: () => ({ agent: agentAnswering(() => p, 'issue', triageResult({ size: 'XL' })) }),
    says: 'set a smaller `size/*` label and run `/auto` again',
    act: async (harness, number) => {
      p.clock.advance(1_000);
      await p
        .rest('ada')
        .rest.issues.createLabel({ ...p.at, name: 'size/XS' })
        .catch(() => undefined);
      await p.rest('wren').rest.issues.addLabels({ ...p.at, issue_number: number, labels: ['size/XS'] });
      await harness.say('wren', number, '/auto');
    },
  },
  { code: 'stopped', options: interrupted('/auto stop'), says: '`/auto continue`', act: say('/auto continue') },
  { code: 'paused', options: interrupted('/auto pause'), says: '`/auto continue`', act: say('/auto continue') },
  {
    code: 'phase-failed',
    options: (isSick) => ({ agent: agentAnswering(() => p, 'code', { kind: 'looped' }, isSick) }),
    says: 'run `/auto` again',
    act: say('/auto'),
  },
  {
    code: 'no-progress',
    options: (isSick) => ({ agent: agentAnswering(() => p, 'code', { kind: 'turn-capped' }, isSick) }),
    says: '`/auto continue TEXT`',
    act: say('/auto continue Write one line.'),
  },
  {
    code: 'over-budget',
    options: (isSick) => ({ agent: agentAnswering(() => p, 'code', { kind: 'over-budget', why: 'spent' }, isSick) }),
    says: '`/auto --resume --budget USD`',
    act: say('/auto --resume --budget 20'),
  },
  {
    code: 'out-of-time',
    options: () => ({
      agent: agentAnswering(
        () => p,
        'issue',
        () => {
          p.clock.advance(2 * 60_000);
          return triageResult();
        },
      ),
    }),
    ask: '/auto --timeout 2',
    says: '`/auto --resume --timeout MIN`',
    act: say('/auto --resume --timeout 60'),
  },
  {
    code: 'workflows-differ',
    options: (isSick) => ({
      engine: (usual) => ({
        ...usual,
        policyFor: async (snapshot) => ({ ...(await usual.policyFor(snapshot)), workflowsDiffer: isSick() }),
      }),
    }),
    says: 'in line with the default branch and run `/auto` again',
    act: say('/auto'),
  },
  {
    code: 'too-many-runs',
    options: () => ({}),
    ask: '/auto --max-iterations 1',
    says: '`/auto --resume --max-iterations N`',
    act: say('/auto --resume --max-iterations 9'),
  },
  {
    code: 'too-big',
    options: (isSick) => ({ agent: agentAnswering(() => p, 'code', { kind: 'context-overflow' }, isSick) }),
    says: 'Split this issue into smaller ones and run `/auto` on those',
    act: async (harness) => {
      const smaller = await harness.open('wren');
      await harness.say('wren', smaller, '/auto');
      return smaller;
    },
  },
  {
    code: 'nothing-to-do',
    options: (isSick) => ({
      agent: (usual) => {
        const criteria = [{ text: 'It is there', verify: 'file_exists README.md', stage: 'pre-merge' }];
        const triage = agentAnswering(() => p, 'issue', triageResult({ criteria }), isSick);
        return agentAnswering(() => p, 'code', { kind: 'no-op' }, isSick)(triage(usual));
      },
    }),
    says: 'say in its text what is still missing and run `/auto` again',
    act: async (harness, number) => {
      p.clock.advance(1_000);
      await p.rest('wren').rest.issues.update({ ...p.at, issue_number: number, body: 'The file is missing.' });
      await harness.say('wren', number, '/auto');
    },
  },
  {
    code: 'blocked',
    options: () => ({
      agent: agentAnswering(
        () => p,
        'code',
        { title: 'Stuck', summary: 'Stuck.', blocked: 'Left or right?' },
        ({ prompt }) => !prompt.includes('Go left.'),
      ),
    }),
    says: '`/auto continue TEXT` with your answer',
    act: say('/auto continue Go left.'),
  },
  {
    code: 'verify-failed',
    options: (isSick) => ({ agent: failing(isSick), policy: { maxVerifyIterations: 1 } }),
    body: BOXES,
    says: '`/auto` works on them for some more iterations',
    act: say('/auto'),
  },
  {
    code: 'verify-failed',
    options: (isSick) => ({ agent: failing(isSick), policy: { maxVerifyIterations: 1 } }),
    body: BOXES,
    says: 'run `/auto retry verify`',
    act: say('/auto retry verify'),
  },
];

test.each(STOPS)('$code: $says', async ({ code, options, body, ask = '/auto', says, act }) => {
  expect(HALT_CODES[code].remedy).toContain(says);
  const sick = { is: true };
  const harness = await open(options(() => sick.is));
  const number = await harness.open('wren', body);
  await harness.say('wren', number, ask);
  await harness.finish();
  expect((await harness.state(number)).halt).toMatchObject({ code });
  expect((await harness.said(number)).join('\n')).toContain(says);
  sick.is = false;
  const other = await act(harness, number);
  await harness.finish();
  const through = typeof other === 'number' ? other : number;
  expect(await harness.labels(through)).toContain('phase/done');
});
