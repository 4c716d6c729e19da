import { describe, expect, test } from '@jest/globals';
import type { AgentJob } from '../../../src/ports/agent.js';
import { issueActions } from '../../support/github/issue-actions.js';
import { agentAnswering, recordingJobs, triageResult } from '../../support/agent/answering-agent.js';
import { pushTo, tipOf } from '#pocket-github/test/branches';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import { foreignApp } from '#pocket-github/test/foreign-app';
import type { TestPocket } from '#pocket-github/test/test-pocket';
import { openReviewedPull, type ReviewedPull } from '../../support/github/reviewed-pull-fixture.js';

/* E1, beyond the issue's own text: what checks, reviews and commands say reaches agents only as far as people can see it. */

let p: TestPocket;
const open = engineHarnessEachTest((pocket) => {
  p = pocket;
});
const { by } = issueActions(() => p);

const CANARY = 'CANARY';
const WORK = 'sluice/issue-1';
const COMMENT = `<!-- ${CANARY} -->`;

/** Texts with something in them that their own page does not show. `SEEN` is what it shows. */
const HIDING = [
  ['a comment', `SEEN ${COMMENT}`],
  ['a comment that never ends', `SEEN\n\n<!-- ${CANARY}`],
  ['a comment after code that begins with the text', `\`\`\`\nSEEN\n\`\`\`\n${COMMENT}`],
  ['an image', `SEEN ![${CANARY}](https://example.com/a.png "${CANARY}")`],
  ['the title of a link', `SEEN [here](https://example.com "${CANARY}")`],
  ['a definition', `SEEN\n\n[${CANARY}]: https://example.com "${CANARY}"`],
  ['a footnote nothing points at', `SEEN\n\n[^note]: ${CANARY}`],
  ['an attribute', `SEEN <span title="${CANARY}">shown</span>`],
  ['the words behind a fence', `SEEN\n\n\`\`\`sh ${CANARY}\nls\n\`\`\``],
] as const;

type Told = readonly { readonly phase: string; readonly prompt: string }[];

/** The phases whose prompts hold a word. */
const phasesWith = (word: string, told: Told) =>
  told.filter(({ prompt }) => prompt.includes(word)).map(({ phase }) => phase);
const revealing = (told: Told) => phasesWith(CANARY, told);
const seen = (told: Told) => phasesWith('SEEN', told);

describe('the output of a check that somebody listed', () => {
  /** Listed once they are there, so that nothing waits for them before. */
  async function reported(outputs: readonly { readonly title: string; readonly summary: string }[]) {
    const listed: string[] = [];
    const policy = {
      get expectedChecks() {
        return listed.length === 0 ? null : listed;
      },
    };
    const scene = await openReviewedPull(p, open, { policy });
    const app = foreignApp(p);
    for (const [index, output] of outputs.entries()) {
      const [name, head_sha] = [`scan-${index}`, tipOf(p, WORK)];
      await by(app).rest.checks.create({
        ...p.at,
        name,
        head_sha,
        status: 'completed',
        conclusion: 'failure',
        output,
      });
      listed.push(name);
    }
    await scene.harness.say('wren', scene.issue, '/auto');
    expect((await scene.harness.state(scene.issue)).counters.checkFixes).toBe(1);
    return scene;
  }

  test.each(HIDING)('shows no agent what %s hides', async (_, summary) => {
    const { prompts: told } = await reported([{ title: 'Red', summary }]);
    expect(revealing(told)).toEqual([]);
    expect(seen(told)).toEqual(['code']);
  });

  test.each([
    ['its own title', [{ title: '```', summary: `SEEN ${COMMENT}` }]],
    ['the title’s footnote', [{ title: 'See [^note]', summary: `SEEN\n\n[^note]: ${CANARY}` }]],
    [
      'another check',
      [
        { title: 'Red', summary: 'See [^note].\n\n```\nnever closed' },
        { title: 'Red', summary: `SEEN ${COMMENT}\n\n[^note]: ${CANARY}` },
      ],
    ],
  ])('is not uncovered by %s', async (_, outputs) => {
    const { prompts: told } = await reported(outputs);
    expect(revealing(told)).toEqual([]);
    expect(seen(told)).not.toEqual([]);
  });
});

describe('a review', () => {
  const REVIEW = `Please read this: ${CANARY}`;
  const goOn = async ({ harness: desk, issue }: ReviewedPull): Promise<void> => {
    await desk.say('wren', issue, '/auto');
    await desk.finish();
  };

  test.each(['mallory', 'rita', 'tess'] as const)('by %s, who may not push, reaches no agent at all', async (who) => {
    const scene = await openReviewedPull(p, open);
    const comments = [{ path: 'work.txt', line: 1, body: REVIEW }];
    await scene.review(who, 'REQUEST_CHANGES', REVIEW, { comments });
    await scene.review(who, 'COMMENT', REVIEW, { comments });
    await by(who).rest.issues.createComment({ ...p.at, issue_number: scene.pull, body: REVIEW });
    await goOn(scene);
    expect(revealing(scene.prompts)).toEqual([]);
  });

  test.each(HIDING)('by somebody who may push reaches them without what %s hides', async (_, text) => {
    const scene = await openReviewedPull(p, open);
    await scene.review('ada', 'REQUEST_CHANGES', text, { comments: [{ path: 'work.txt', line: 1, body: text }] });
    await goOn(scene);
    expect(revealing(scene.prompts)).toEqual([]);
    expect(seen(scene.prompts).length).toBeGreaterThan(0);
  });

  const BEHIND_CODE = `\`\`\`\nSEEN\n\`\`\`\n${COMMENT}`;
  test.each([
    ['it begins with', BEHIND_CODE, []],
    ['a remark about a line begins with', 'See below.', [{ path: 'work.txt', line: 1, body: BEHIND_CODE }]],
  ])('shows no agent what is hidden behind the code %s', async (_, body, comments) => {
    const scene = await openReviewedPull(p, open);
    await scene.review('ada', 'REQUEST_CHANGES', body, { comments });
    await goOn(scene);
    expect(revealing(scene.prompts)).toEqual([]);
    expect(seen(scene.prompts).length).toBeGreaterThan(0);
  });

  test('does not uncover what is hidden in its remarks about single lines', async () => {
    const scene = await openReviewedPull(p, open);
    const body = 'See [^note].\n\n```\nnever closed';
    const comments = [{ path: 'work.txt', line: 1, body: `SEEN ${COMMENT}\n\n[^note]: ${CANARY}` }];
    await scene.review('ada', 'REQUEST_CHANGES', body, { comments });
    await goOn(scene);
    expect(revealing(scene.prompts)).toEqual([]);
    expect(seen(scene.prompts).length).toBeGreaterThan(0);
  });
});

describe('what commands print', () => {
  interface Printing {
    readonly testCommand?: string;
    readonly criteria?: readonly object[];
  }
  const prints = (file: string, stage = 'pre-merge') => ({
    text: `It prints ${file} (${stage})`,
    verify: `command "cat ${file}"`,
    stage,
  });

  /** Without it no agent would have to verify anything. */
  const JUDGED = { text: 'It reads well', verify: null, stage: 'post-merge' };

  /** An issue of a permitted person whose criteria, or tests, print files of the repository. */
  async function driven(
    files: Readonly<Record<string, string>>,
    { testCommand = 'true', criteria = [prints('one.txt')] }: Printing,
  ) {
    await pushTo(p, 'main', { files });
    const told: AgentJob[] = [];
    const size = testCommand === 'true' ? 'M' : 'XS';
    const triage = triageResult({ size, criteria });
    const agent = agentAnswering(() => p, 'issue', triage);
    const desk = await open({ size, testCommand, agent: recordingJobs(told, agent) });
    const number = await desk.open('wren');
    await desk.say('wren', number, '/auto');
    await desk.finish();
    return told;
  }

  test.each(HIDING)('as evidence shows no agent what %s hides', async (_, text) => {
    const criteria = [prints('one.txt'), prints('one.txt', 'post-merge'), JUDGED];
    const told = await driven({ 'one.txt': `${text}\n` }, { criteria });
    expect(revealing(told)).toEqual([]);
    expect([...new Set(seen(told))]).toEqual(['review', 'verify']);
  });

  test('for one criterion uncovers nothing that another one hides', async () => {
    const files = {
      'one.txt': 'See [^note].\n\n```\nnever closed\n',
      'two.txt': `SEEN ${COMMENT}\n\n[^note]: ${CANARY}\n`,
    };
    const criteria = [prints('one.txt'), prints('one.txt', 'post-merge'), prints('two.txt', 'post-merge'), JUDGED];
    const told = await driven(files, { criteria });
    expect(revealing(told)).toEqual([]);
    expect(seen(told)).toContain('verify');
  });

  test.each([
    ...HIDING,
    ['a comment that was cut in two', `SEEN\n${'x\n'.repeat(1_000)}<!-- ${'x\n'.repeat(3_000)}${CANARY} -->`] as const,
  ])('when the tests fail shows no agent what %s hides', async (_, text) => {
    const told = await driven({ 'one.txt': `${text}\n` }, { testCommand: 'cat one.txt; exit 1' });
    expect(revealing(told)).toEqual([]);
    expect(seen(told)).toContain('code');
  });
});

describe('the title of an issue', () => {
  test.each([
    ['a footnote', 'Do the work [^note]', `SEEN\n\n[^note]: ${CANARY}`],
    ['a definition', 'Do the [work]', `SEEN\n\n[work]: https://example.com/${CANARY} "${CANARY}"`],
  ])('does not uncover %s that its text hides', async (_, title, body) => {
    const told: AgentJob[] = [];
    const desk = await open({ size: 'XS', agent: recordingJobs(told) });
    const { data } = await by('mallory').rest.issues.create({ ...p.at, title, body });
    await desk.say('wren', data.number, '/auto');
    await desk.finish();
    expect(seen(told).length).toBeGreaterThan(0);
    expect(revealing(told)).toEqual([]);
  });
});
