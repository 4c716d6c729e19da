import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { DEMO_SEED } from '../../../../../src/entry/demo/brain/demo-world.js';
import { parseSeed } from '#pocket-github';
import { renderCode } from '../../../../../src/usecases/phases/code/judge-code.js';
import { CLI, SPEC, TRIAGE } from '../../../../support/domain/phase-contexts.js';
import { DemoIssuePhases } from './demo-issue-phases.js';
import { checkoutSeeder, answerAsCli } from './brain-harness.js';

const newCheckout = checkoutSeeder();

/** A story whose model is the brain, without the CLI between them. */
async function begin(number: number) {
  const checkout = await newCheckout();
  const story = await DemoIssuePhases.begin(
    number,
    checkout,
    async (prompt) => (await answerAsCli(checkout, prompt)).result,
  );
  const base = await checkout.head();
  const changed = async () => (await checkout.git('diff', '--name-only', base)).split('\n');
  return { checkout, story, changed };
}

test('the demo’s world is a seed Pocket GitHub takes', () => {
  const { repositories } = parseSeed(DEMO_SEED, 'demo');
  expect(repositories.map(({ name, issues }) => [name, issues.length])).toEqual([['ada/tideline', 5]]);
});

describe('the brain', () => {
  test('does an S issue at once, and its criteria hold', async () => {
    const { story, changed } = await begin(1);
    const triage = await story.triage();
    expect(triage).toMatchObject({ size: 'S', type: 'bug' });
    expect(triage.criteria.map(({ text, verify }) => [text, verify?.kind])).toEqual([
      ['A new moon still brings high water at noon', 'command'],
      ['`highWater` in `src/tide.js` throws a `RangeError` when `moonAge < 0`', 'grep'],
      ['All tests pass', 'command'],
    ]);
    expect((await story.results(triage)).map(({ verdict }) => verdict)).toEqual(['PASS', 'FAIL', 'PASS']);
    await story.code(triage, await story.spec(triage));
    expect(await changed()).toEqual(['src/tide.js', 'test/high-water.test.js']);
    expect((await story.verify(triage)).map(({ verdict }) => verdict)).toEqual(['PASS', 'PASS', 'PASS']);
  });

  test('does an XS issue by an edit', async () => {
    const { story, checkout, changed } = await begin(3);
    const triage = await story.triage();
    expect(triage.size).toBe('XS');
    await story.code(triage, null);
    expect(await changed()).toEqual(['README.md']);
    expect(await readFile(join(checkout.path, 'README.md'), 'utf8')).toContain('For people who forget.');
  });

  test.each([
    [2, 'M', 'untilLowWater', ['README.md', 'src/tide.js', 'test/until-low-water.test.js']],
    [
      4,
      'L',
      'moonPhase',
      [
        'README.md',
        'src/moon.js',
        'src/neap.js',
        'src/spring.js',
        'test/is-neap-tide.test.js',
        'test/is-spring-tide.test.js',
        'test/moon-phase.test.js',
      ],
    ],
  ])(
    'forgets what no command checks in issue %i of size %s, finds it in review, and fixes it',
    async (number, size, name, files) => {
      const { story, checkout, changed } = await begin(number);
      const triage = await story.triage();
      expect(triage.size).toBe(size);
      const spec = await story.spec(triage);
      expect([...spec.files].sort()).toEqual(files);
      await story.code(triage, spec);
      expect(await changed()).toEqual(files);

      const first = await story.review(triage, spec);
      expect(first).toMatchObject({
        verdict: 'fix',
        findings: [{ severity: 'MUST', text: expect.stringContaining(`${name} lets through`) }],
      });
      const failing = await story.verify(triage);
      expect(failing.filter(({ verdict }) => verdict === 'FAIL')).toHaveLength(1);

      await story.code(triage, spec, DemoIssuePhases.fixFor(first));
      expect(await checkout.git('log', '--format=%s', '-1')).toContain('Fix what was found');
      expect(await story.review(triage, spec)).toMatchObject({ verdict: 'pass', findings: [] });
      expect((await story.verify(triage)).every(({ verdict }) => verdict === 'PASS')).toBe(true);
    },
  );

  test('sizes an XL issue as such', async () => {
    const { story } = await begin(5);
    expect(await story.triage()).toMatchObject({ size: 'XL' });
  });

  test('asks when it does not understand', async () => {
    const { story } = await begin(99);
    await expect(story.triage()).rejects.toThrow('needs-human');
  });
});

describe('the brain refuses, and returns nothing', () => {
  const fix = { source: 'review', head: 'f00', items: ['MUST src/tide.js:3 untilLowWater lets through'] } as const;
  const prompt = renderCode({
    ...CLI,
    triage: TRIAGE,
    spec: SPEC,
    route: 'pr',
    start: 'f00',
    fix,
    aside: [],
    held: [],
  });
  const without = (name: string): string =>
    prompt.replace(new RegExp(`<data-\\w+ name="${name}">[\\s\\S]*?</data-\\w+>`), '');
  const BLANK = '---\nname: code\n---\n';
  const HEADINGS = '## What you are given\n## How to work\n## Never\n## Result\n';

  test.each<[string, string, string | undefined, string]>([
    ['when the skill is blank', prompt, BLANK, '## What you are given'],
    ['when the skill does not tell the nonce', prompt, HEADINGS, 'the nonce'],
    ['without the issue', without('issue'), undefined, 'the issue'],
    ['without the criteria', without('criteria'), undefined, 'the criteria'],
    ['to fix what is not named', without('fix'), undefined, 'nothing says what'],
    ['a command nobody expanded', prompt.replace('/sluice:', '/other:'), BLANK, 'a /sluice command'],
  ])('%s', async (_, given, skillText, complaint) => {
    const nowhere = { path: '/', shell: async () => ({ passed: false, output: 'nowhere' }) };
    const { result, said, tools } = await answerAsCli(nowhere, given, skillText);
    expect({ result, said: said.join(' '), tools }).toEqual({
      result: null,
      said: expect.stringContaining(complaint),
      tools: [],
    });
  });

  test('without findings there is nothing to do about work that is already there', async () => {
    const { story } = await begin(2);
    const triage = await story.triage();
    const spec = await story.spec(triage);
    await story.code(triage, spec);
    expect(await story.tryCode(triage, spec, null)).toMatchObject({
      kind: 'rejected',
      reasons: [expect.stringContaining('Nothing was changed')],
    });
  });
});
