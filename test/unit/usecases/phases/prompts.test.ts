import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { renderCode } from '../../../../src/usecases/phases/code/judge-code.js';
import { renderIssue } from '../../../../src/usecases/phases/issue/judge-issue.js';
import { MAX_PROMPT_BYTES } from '../../../../src/usecases/phases/prompt.js';
import { renderReview } from '../../../../src/usecases/phases/review/judge-review.js';
import { renderSpec } from '../../../../src/usecases/phases/spec/judge-spec.js';
import { renderVerify } from '../../../../src/usecases/phases/verify/judge-verify.js';
import {
  CLI,
  OPS,
  OPS_SPEC,
  OPS_TRIAGE,
  SPEC,
  TRIAGE,
  WEB,
  WEB_TRIAGE,
} from '../../../support/domain/phase-contexts.js';

const head = 'd'.repeat(40);
const code = {
  ...CLI,
  triage: TRIAGE,
  spec: SPEC,
  route: 'pr',
  start: CLI.base.oid,
  fix: null,
  aside: [],
  held: [],
} as const;
const found = {
  severity: 'MUST',
  file: 'server/reload.go',
  line: 41,
  text: 'the table is read without its lock',
} as const;
const passed = [{ id: 'c1', verdict: 'PASS', evidence: 'ok  tally/limiter\n0.41s' }] as const;

test('a prompt is never longer than its bound, whatever was put into it, and keeps the issue', () => {
  const long = Array.from({ length: 20 }, () => '本'.repeat(8_000));
  const results = long.map((evidence, index) => ({ id: `c${index}`, verdict: 'FAIL', evidence }) as const);
  const spec = { ...SPEC, approach: long.join('\n') };
  const issue = { title: CLI.issue.title, body: `Begin.${'x'.repeat(60_000)}` };
  const context = { ...CLI, issue, triage: TRIAGE, spec, feedback: long, guidance: long.join('\n') };
  const fix = { source: 'checks', head, items: long } as const;
  for (const prompt of [
    renderCode({ ...code, ...context, fix }),
    renderReview({ ...context, depth: 'full', head, earlier: [], results }),
  ]) {
    expect(Buffer.byteLength(prompt)).toBeLessThanOrEqual(MAX_PROMPT_BYTES);
    expect(prompt).toContain(issue.body);
  }
});

/** Rendered prompts are kept to be read: after a change on purpose, run with UPDATE_PROMPTS=1 and read the difference. */
test.each<[string, string]>([
  ['web-issue', renderIssue(WEB)],
  ['web-spec', renderSpec({ ...WEB, triage: WEB_TRIAGE, size: 'S' })],
  ['cli-code', renderCode(code)],
  ['cli-code-patch-without-spec', renderCode({ ...code, spec: null, route: 'patch', handoff: null })],
  [
    'cli-code-fix',
    renderCode({
      ...code,
      start: head,
      fix: { source: 'review', head, items: ['MUST fern/sync.py:41 a manifest with only comments still crashes'] },
    }),
  ],
  [
    'cli-merge',
    renderCode({ ...code, start: head, fix: { source: 'conflict', head, items: ['conflicts with develop'] } }),
  ],
  [
    'ops-review',
    renderReview({
      ...OPS,
      triage: OPS_TRIAGE,
      spec: OPS_SPEC,
      depth: 'full',
      head,
      earlier: [found],
      results: passed,
    }),
  ],
  ['ops-verify', renderVerify({ ...OPS, feedback: [], triage: OPS_TRIAGE, oid: head, results: passed })],
])('the prompt %s is the one that was read and found good', (name, prompt) => {
  const file = resolve('test/fixtures/prompts', `${name}.txt`);
  if (process.env['UPDATE_PROMPTS'] === '1') writeFileSync(file, `${prompt}\n`);
  expect(existsSync(file) ? readFileSync(file, 'utf8') : `${file} is missing`).toBe(`${prompt}\n`);
});
