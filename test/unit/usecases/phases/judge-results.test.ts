import { describe, expect, test } from '@jest/globals';
import type { CriterionResult } from '../../../../src/domain/criteria/criterion.js';
import { judgeCode } from '../../../../src/usecases/phases/code/judge-code.js';
import { judgeIssue } from '../../../../src/usecases/phases/issue/judge-issue.js';
import { judgeReview } from '../../../../src/usecases/phases/review/judge-review.js';
import { DIMENSION_IDS, DIMENSIONS } from '../../../../src/domain/gates/review-score.js';
import { judgeSpec } from '../../../../src/usecases/phases/spec/judge-spec.js';
import { criteriaToJudge, judgeVerify } from '../../../../src/usecases/phases/verify/judge-verify.js';
import { HANDED, handoff, TRIAGE, WEB } from '../../../support/domain/phase-contexts.js';

const rejection = (...words: readonly string[]) => ({
  kind: 'rejected',
  reasons: words.map((word) => expect.stringContaining(word)),
});

describe('triage', () => {
  const result = (more: object = {}) => ({
    nonce: 'n',
    type: 'bug',
    size: 'S',
    reasons: ['One file.'],
    summary: 'Use the harbour’s day.',
    criteria: [{ text: 'It works', verify: 'file_exists src/day.ts', stage: 'pre-merge' }],
    questions: [],
    handoff: handoff(),
    ...more,
  });
  const criteriaOf = (body: string, criteria: readonly object[]) => {
    const judged = judgeIssue(result({ criteria }), { issue: { title: 't', body } });
    return judged.kind === 'accepted' ? judged.value.criteria : judged;
  };

  test('takes over people’s own open boxes first, in their words, with their commands', () => {
    expect(criteriaOf(WEB.issue.body, [{ text: 'It works', verify: null, stage: 'pre-merge' }])).toEqual([
      {
        id: 'c1',
        text: "A booking without a day gets the date of the harbour's time zone",
        verify: null,
        stage: 'pre-merge',
      },
      {
        id: 'c2',
        text: '`npm test` passes',
        verify: { kind: 'command', run: 'npm test --silent' },
        stage: 'pre-merge',
      },
      { id: 'c3', text: 'It works', verify: null, stage: 'pre-merge' },
    ]);
  });

  test('a proposal in the words of a box completes it and never replaces its command', () => {
    const body = '- [ ] It  works\n- [ ] It lasts <!-- verify: file_exists a -->';
    const proposals = [
      { text: 'it works', verify: 'grep "ok" src/a.js', stage: 'post-merge' },
      { text: 'It lasts', verify: 'file_exists b', stage: 'pre-merge' },
    ];
    expect(criteriaOf(body, proposals)).toEqual([
      { id: 'c1', text: 'It  works', verify: { kind: 'grep', pattern: 'ok', path: 'src/a.js' }, stage: 'post-merge' },
      { id: 'c2', text: 'It lasts', verify: { kind: 'file_exists', path: 'a' }, stage: 'pre-merge' },
    ]);
  });

  test.each([
    ['curl http://x', '`curl` is none of the four commands'],
    ['command npm test', 'too much follows `command`: what belongs together goes in double quotes'],
    ['command "npm test', 'a quotation mark is not closed'],
    ['command ""', 'something is missing after `command`'],
    ['grep "x"', 'something is missing after `grep`'],
    ['file_contains a.md "x" "y"', 'too much follows `file_contains`'],
  ])('a proposed command that cannot be read is thrown back with the reason: %s', (verify, why) => {
    expect(criteriaOf('', [{ text: 'It works', verify, stage: 'pre-merge' }])).toEqual(rejection(why));
  });

  test('a criterion without a command is judged', () => {
    for (const verify of [null, '', ' '])
      expect(criteriaOf('', [{ text: 'It works', verify, stage: 'pre-merge' }])).toMatchObject([{ verify: null }]);
  });

  test('the same criteria have the same hash, others another', () => {
    const hash = (text: string) => {
      const judged = judgeIssue(result({ criteria: [{ text, verify: null, stage: 'pre-merge' }] }), {
        issue: { title: 't', body: '' },
      });
      return judged.kind === 'accepted' ? judged.value.criteriaHash : null;
    };
    expect(hash('It works')).toBe(hash('It works'));
    expect(hash('It works')).not.toBe(hash('It rests'));
  });

  test('hands on what was learnt', () => {
    expect(judgeIssue(result(), { issue: { title: 't', body: '' } })).toMatchObject({
      kind: 'accepted',
      handoff: HANDED,
    });
  });

  test.each<[string, object, object]>([
    ['questions go to a person', { questions: ['Which day?'] }, { kind: 'needs-human', questions: ['Which day?'] }],
    [
      'no criterion before the merge',
      { criteria: [{ text: 'x', verify: null, stage: 'post-merge' }] },
      rejection('no pre-merge criterion'),
    ],
    ['an unknown size', { size: 'XXL' }, rejection('size: ')],
    ['one decision is too few', { handoff: handoff({ decisions: ['x'] }) }, rejection('handoff.decisions: ')],
    ['no handoff at all', { handoff: undefined }, rejection('handoff: ')],
  ])('%s', (_, more, expected) => {
    expect(judgeIssue(result(more), { issue: { title: 't', body: '' } })).toMatchObject(expected);
  });
});

describe('the spec', () => {
  const result = (more: object = {}) => ({
    nonce: 'n',
    approach: 'Return early.',
    files: ['fern/sync.py'],
    steps: [{ text: 'Do it', criteria: ['c1', 'c2', 'c3'] }],
    risks: [],
    size: null,
    blocked: null,
    handoff: handoff(),
    ...more,
  });

  test.each<[string, object, object]>([
    [
      'every pre-merge criterion served; post-merge ones need no step',
      {},
      { kind: 'accepted', value: { spec: { criteriaHash: 'hash-1', files: ['fern/sync.py'] }, size: null } },
    ],
    ['another size is passed on', { size: 'L' }, { kind: 'accepted', value: { size: 'L' } }],
    ['the same size is no news', { size: 'M' }, { kind: 'accepted', value: { size: null } }],
    [
      'a criterion nobody serves',
      { steps: [{ text: 'x', criteria: ['c1'] }] },
      rejection('No step serves c2', 'No step serves c3'),
    ],
    [
      'a criterion that does not exist',
      { steps: [{ text: 'x', criteria: ['c1', 'c2', 'c3', 'c9'] }] },
      rejection('no criterion c9'),
    ],
    ['no files', { files: [] }, rejection('files is empty')],
    [
      'a path out of the repository',
      { files: ['a/../../etc/passwd', '/etc/passwd'] },
      rejection('a/../../etc/passwd', '/etc/passwd is not'),
    ],
    ['a workflow', { files: ['./.github/workflows/ci.yml'] }, rejection('workflows are changed by people only')],
    [
      'blocked goes to a person',
      { blocked: 'c1 and c2 contradict each other.' },
      { kind: 'needs-human', questions: ['c1 and c2 contradict each other.'] },
    ],
  ])('%s', (_, more, expected) => {
    expect(judgeSpec(result(more), { triage: TRIAGE })).toMatchObject(expected);
  });
});

describe('code', () => {
  const result = (more: object = {}) => ({
    nonce: 'n',
    title: ' Return early\nfor empty ',
    summary: 'Did it.',
    blocked: null,
    handoff: handoff(),
    ...more,
  });
  const facts = { commit: 'c0ffee', test: { passed: true, output: '' }, results: [] };
  const failed: CriterionResult = { id: 'c2', verdict: 'FAIL', evidence: 'no such line' };

  test.each<[string, object, Parameters<typeof judgeCode>[1], object]>([
    [
      'a commit the tests agree with',
      {},
      facts,
      { kind: 'accepted', value: { commit: 'c0ffee', title: 'Return early for empty', summary: 'Did it.' } },
    ],
    ['no test command configured', {}, { ...facts, test: null }, { kind: 'accepted' }],
    ['nothing changed, whatever is claimed', {}, { ...facts, commit: null }, rejection('Nothing was changed')],
    [
      'red tests',
      {},
      { ...facts, test: { passed: false, output: '1 failed' } },
      rejection('The tests fail:\n1 failed'),
    ],
    [
      'a criterion that does not hold',
      {},
      { ...facts, results: [failed] },
      rejection('c2 does not hold:\nno such line'),
    ],
    [
      'blocked goes to a person',
      { blocked: 'No such module.' },
      { ...facts, commit: null },
      { kind: 'needs-human', questions: ['No such module.'] },
    ],
    ['a result of another shape', { title: 7 }, facts, rejection('title: ')],
  ])('%s', (_, more, given, expected) => {
    expect(judgeCode(result(more), given)).toMatchObject(expected);
  });
});

describe('review', () => {
  const scores = (more: Record<string, { score: number; evidence: string }> = {}) => ({
    ...Object.fromEntries(DIMENSION_IDS.map((id) => [id, { score: 0.9, evidence: 'src/a.js:3 does it' }])),
    ...more,
  });
  const result = (more: object = {}) => ({
    nonce: 'n',
    summary: 'Fine.',
    findings: [],
    scores: scores(),
    handoff: handoff(),
    ...more,
  });
  const must = { severity: 'MUST', file: 'src/a.js', line: 3, text: 'zero' };
  const low = (score: number) => ({ score, evidence: 'src/a.js:9 is slow' });
  const context = { head: 'abc', results: [] as CriterionResult[] };

  test('the weights are those of a whole', () => {
    expect(DIMENSION_IDS.reduce((sum, id) => sum + DIMENSIONS[id].weight, 0)).toBeCloseTo(1);
  });

  test.each<[string, object, object]>([
    ['nothing to say passes', {}, { verdict: 'pass', score: 0.9, head: 'abc', findings: [] }],
    [
      'SHOULD and CONSIDER do not stop it',
      {
        findings: [
          { ...must, severity: 'SHOULD' },
          { ...must, severity: 'CONSIDER', line: null },
        ],
      },
      { verdict: 'pass' },
    ],
    ['one MUST does, whatever the score', { findings: [must] }, { verdict: 'fix', findings: [must] }],
    [
      '0.75 is enough',
      { scores: scores(Object.fromEntries(DIMENSION_IDS.map((id) => [id, low(0.75)]))) },
      { verdict: 'pass', score: 0.75 },
    ],
    [
      'less is not, and the weakest dimension says what to do',
      { scores: scores(Object.fromEntries(DIMENSION_IDS.map((id) => [id, low(0.7)]))) },
      {
        verdict: 'fix',
        score: 0.7,
        findings: [{ severity: 'MUST', file: 'correctness', text: expect.stringContaining('src/a.js:9 is slow') }],
      },
    ],
    [
      'security below its floor stops it though the sum is high',
      { scores: scores({ d2: { score: 0.4, evidence: '`curl` got in: src/a.js:4' } }) },
      { verdict: 'fix', score: 0.8, findings: [{ severity: 'MUST', file: 'security' }] },
    ],
    ['performance has no floor', { scores: scores({ d4: low(0) }) }, { verdict: 'pass', score: 0.81 }],
  ])('%s', (_, more, value) => {
    expect(judgeReview(result(more), context)).toMatchObject({ kind: 'accepted', value });
  });

  test.each([
    'src/a.js:9',
    'Makefile:3',
    'see `docs/a-b.md:12`',
    'lib/x#L4',
    '`npm test` exit code 0',
    '`npm test` exited with 1',
  ])('%s is evidence', (evidence) => {
    expect(judgeReview(result({ scores: scores({ d4: { score: 0.9, evidence } }) }), context).kind).toBe('accepted');
  });

  test('a criterion that failed on this head is a MUST', () => {
    const results: CriterionResult[] = [{ id: 'c2', verdict: 'FAIL', evidence: 'exit 1' }];
    expect(judgeReview(result(), { ...context, results })).toMatchObject({
      value: { verdict: 'fix', findings: [{ severity: 'MUST', file: 'c2' }] },
    });
  });

  test('the summary shows the scores and what they rest on', () => {
    expect(judgeReview(result(), context)).toMatchObject({
      value: { summary: expect.stringContaining('| D2 security | 0.90 | src/a.js:3 does it |') },
    });
  });

  test.each<[string, object, object]>([
    [
      'an opinion',
      { scores: scores({ d1: { score: 1, evidence: 'looks right to me' } }) },
      rejection('D1 correctness has no evidence'),
    ],
    ...[
      'e.g. it looks fine',
      'safe and/or sound',
      'see src/a.js',
      '`npm test` is green',
      'at 10:30 it was good',
    ].flatMap((evidence) =>
      DIMENSION_IDS.map((id): [string, object, object] => [
        `for ${id}, “${evidence}”`,
        { scores: scores({ [id]: { score: 1, evidence } }) },
        rejection(`${id.toUpperCase()} ${DIMENSIONS[id].name} has no evidence`),
      ]),
    ),
    ['no words at all', { scores: scores({ d6: { score: 1, evidence: ' ' } }) }, rejection('scores.d6.evidence: ')],
    ['a dimension left out', { scores: { ...scores(), d5: undefined } }, rejection('scores.d5: ')],
    ['a score out of range', { scores: scores({ d4: low(1.2) }) }, rejection('scores.d4.score: ')],
  ])('%s is not evidence', (_, more, expected) => {
    expect(judgeReview(result(more), context)).toMatchObject(expected);
  });
});

describe('verify', () => {
  const known: CriterionResult[] = [{ id: 'c1', verdict: 'PASS', evidence: 'exit 0' }];
  const judged = (...results: readonly [string, string, string][]) =>
    judgeVerify(
      {
        nonce: 'n',
        results: results.map(([id, verdict, evidence]) => ({ id, verdict, evidence })),
        handoff: handoff(),
      },
      { triage: TRIAGE, results: known },
    );

  test('a model is asked only for what no command tells', () => {
    expect(criteriaToJudge(TRIAGE).map(({ id }) => id)).toEqual(['c3', 'c4']);
  });

  test('verdicts complete what commands said, in the order of the criteria', () => {
    expect(
      judged(['c4', 'UNCERTAIN', 'look tomorrow'], ['c3', 'PASS', 'docs/guide.md:12'], ['c1', 'FAIL', 'I think']),
    ).toMatchObject({
      kind: 'accepted',
      value: [
        known[0],
        { id: 'c2', verdict: 'UNCERTAIN' },
        { id: 'c3', verdict: 'PASS' },
        { id: 'c4', verdict: 'UNCERTAIN' },
      ],
    });
  });

  test.each<[string, readonly [string, string, string][], object]>([
    ['a criterion without verdict', [['c3', 'PASS', 'docs/guide.md:12']], rejection('c4 has no verdict')],
    [
      'PASS without evidence',
      [
        ['c3', 'PASS', ''],
        ['c4', 'SKIPPED', 'no nightly'],
      ],
      rejection('c3 is PASS without evidence'),
    ],
    [
      'PASS by opinion',
      [
        ['c3', 'PASS', 'seems fine'],
        ['c4', 'FAIL', 'red'],
      ],
      rejection('c3 is PASS, but'),
    ],
    ['an unknown verdict', [['c3', 'MAYBE', 'x']], rejection('results.0.verdict: ')],
  ])('%s is thrown back', (_, results, expected) => {
    expect(judged(...results)).toMatchObject(expected);
  });
});
