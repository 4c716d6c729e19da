import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { renderHelp } from '../../../../../src/domain/commands/command-help.js';
import { formatAction } from '../../../../../src/domain/render/phrases/format-action.js';
import { publish, quoteCell, quoteLine } from '../../../../../src/domain/sanitise/publish.js';
import { listFirst } from '../../../../../src/domain/render/phrases/figures.js';
import { phaseChecks } from '../../../../../src/domain/render/pull-request/phase-checks.js';
import { type Refusal, refusalText } from '../../../../../src/domain/render/replies/refusals.js';
import { anyState } from '../../../../support/domain/arbitrary-state.js';
import { expectApprovedText } from '../../../../support/domain/approved-text.js';
import { HALT_EXAMPLES, type StatusExampleName, STATUS_EXAMPLES } from '../../../../support/domain/status-examples.js';
import {
  minute,
  NOW,
  OID,
  POLICY,
  projected,
  pull,
  snapshot,
  state,
  triage,
} from '../../../../support/domain/snapshot-fixture.js';
import { commentsOf, driftOf } from '../../../../support/domain/rendered.js';

const EXAMPLE_NAMES = Object.keys(STATUS_EXAMPLES) as StatusExampleName[];

const bodies = (name: StatusExampleName) => commentsOf(STATUS_EXAMPLES[name].snapshot, STATUS_EXAMPLES[name].policy);

describe('the comments of an issue', () => {
  test.each(EXAMPLE_NAMES)('that is %s are the ones that were read and found good', (name) => {
    expectApprovedText(
      name,
      bodies(name)
        .map(({ body }) => body)
        .join('\n\n---\n\n'),
    );
  });

  test.each(EXAMPLE_NAMES)('that is %s are shown in one go and then left alone', (name) => {
    const { snapshot: seen, policy } = STATUS_EXAMPLES[name];
    const shown = projected(seen, policy);
    expect(driftOf(shown, policy)).toEqual([]);
    expect(driftOf({ ...shown, readAt: shown.readAt + 1 }, policy)).toEqual([]);
  });

  test('a report is written once for each end of a run, never over an older one', () => {
    const { snapshot: seen, policy } = STATUS_EXAMPLES['over-budget'];
    const first = projected(seen, policy);
    const reports = (comments: readonly { body: string }[]) =>
      comments.filter(({ body }) => body.startsWith('<!-- sluice:report '));
    expect(reports(first.comments)).toHaveLength(1);
    const next = { ...STATUS_EXAMPLES.done.snapshot, comments: first.comments };
    expect(reports(projected(next, policy).comments)).toHaveLength(2);
  });

  test.each(['started', 'running', 'waiting', 'stopped'] as const)('while it is %s there is no report', (name) => {
    expect(bodies(name).map(({ slot }) => slot)).not.toContain('report');
  });

  test('whatever stops it, people are told what they can do', () => {
    for (const { snapshot: seen, policy } of HALT_EXAMPLES) {
      const status = commentsOf(seen, policy).find(({ slot }) => slot === 'status');
      expect(status?.body).toMatch(/\*\*What you can do:\*\* \S.{10,}/);
    }
  });

  test('a secret in the model’s words is in none of them, and they stay as they are once shown', () => {
    const secret = 'harbour-light-at-seven';
    const policy = { ...POLICY, redact: (text: string) => text.replaceAll(secret, '‹redacted›') };
    const halt = { state: 'failed', code: 'phase-failed', because: `it printed ${secret}` } as const;
    const shown = projected(snapshot(state({}, { halt })), policy);
    expect(JSON.stringify(shown)).toContain('‹redacted›');
    expect(shown.comments.map(({ body }) => body).join()).not.toContain(secret);
    expect(driftOf(shown, policy)).toEqual([]);
  });

  test('of any state there could be are shown in one go', () => {
    fc.assert(
      fc.property(anyState, (any) => {
        const shown = projected(snapshot(any));
        expect(driftOf(shown, POLICY).filter(({ kind }) => kind === 'comment')).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

test('six open criteria are five and one more', () => {
  expect(listFirst(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toEqual(['- a', '- b', '- c', '- d', '- e', '- … and 2 more']);
  expect(listFirst(['a', 'b', 'c', 'd', 'e'])).toHaveLength(5);
});

describe('checks on the pull request', () => {
  const findings = [
    { severity: 'MUST', file: 'src/a|b.ts', line: 4, text: 'fixes #3 | never closed' },
    { severity: 'CONSIDER', file: 'src/c.ts', line: null, text: 'a better name' },
  ] as const;
  const review = {
    head: OID.head,
    verdict: 'fix',
    findings,
    score: 0.61,
    summary: 'One leak.\n\n| dimension | score |\n|---|---|\n| D1 correctness | 0.40 |',
  } as const;
  const progress = {
    triage: triage('M'),
    pushed: { head: OID.head, base: OID.base, summary: 'It grows.', at: minute(5) },
  };

  test('say what each phase found', () => {
    const seen = snapshot(state({ ...progress, review }), { pull: pull(), workHead: OID.head });
    expectApprovedText(
      'check-runs',
      phaseChecks(seen, POLICY)
        .map(({ name, conclusion, title, summary }) => `# ${name}: ${conclusion}\n\n${title}\n\n${summary}`)
        .join('\n\n'),
    );
  });

  test('claim no tests where the repository names no test command, and the triage comment says so', () => {
    const seen = snapshot(state(progress), { pull: pull(), workHead: OID.head });
    const untested = { ...POLICY, hasTests: false };
    expect(phaseChecks(seen, untested)).toMatchObject([
      { name: 'sluice/code', title: '1 criterion checked on this commit; no tests were run' },
    ]);
    expect(phaseChecks(seen, POLICY)).toMatchObject([{ title: 'The tests and 1 criterion pass on this commit' }]);
    const about = (policy: typeof POLICY) =>
      commentsOf(seen, policy).filter(({ body }) => body.includes('no test command'));
    expect(about(untested).map(({ slot }) => slot)).toEqual(['triage']);
    expect(about(POLICY)).toEqual([]);
  });

  test.each([
    ['PASS', 'success'],
    ['UNCERTAIN', 'neutral'],
    ['FAIL', 'failure'],
  ] as const)('after the merge a criterion that is %s makes verify a %s', (verdict, conclusion) => {
    const merged = pull({ state: 'merged', mergeCommit: OID.merge, mergedAt: minute(20) });
    const verify = { oid: OID.merge, results: [{ id: 'c1', verdict, evidence: 'seen' }] };
    expect(phaseChecks(snapshot(state({ ...progress, verify }), { pull: merged }), POLICY)).toMatchObject([
      { name: 'sluice/verify', conclusion },
    ]);
  });

  test('on a head GitHub does not show yet are written with other news, and not again', () => {
    const behind = snapshot(state({ ...progress, pushed: { ...progress.pushed, head: OID.other } }), {
      pull: pull(),
      workHead: OID.other,
    });
    const kinds = (seen: typeof behind) => driftOf(seen, POLICY).map(({ kind }) => kind);
    expect(kinds(behind)).toContain('check-run');
    expect(kinds(projected(behind))).toEqual([]);
  });
});

describe('refusals', () => {
  const REFUSALS: readonly Refusal[] = [
    { kind: 'no-permission', login: 'mallory', needs: 'write' },
    { kind: 'no-permission', login: 'mallory', needs: 'triage' },
    { kind: 'too-many-commands', perHour: 10, until: NOW },
    { kind: 'repository-not-allowed', repo: { owner: 'ada', repo: 'garden' } },
    { kind: 'issue-closed', number: 7 },
    { kind: 'issue-gone', number: 7 },
    { kind: 'already-running', number: 7 },
    { kind: 'stopping', number: 7 },
    { kind: 'not-running', number: 7 },
    { kind: 'label', login: 'tess', label: 'phase/ready' },
    { kind: 'other-hash', hash: '0123456789ab' },
    { kind: 'text-unvouched', number: 7, by: 'mallory', hash: '0123456789abcdef'.repeat(4) },
    { kind: 'text-too-late', number: 7, hash: '0123456789abcdef'.repeat(4) },
    { kind: 'comment-edited' },
    { kind: 'size-label', login: 'tess', label: 'size/XS' },
  ];

  test('are the ones that were read and found good: one line each, with a way on', () => {
    const texts = REFUSALS.map(refusalText);
    expectApprovedText('refusals', texts.join('\n\n'));
    for (const text of texts)
      expect({ text, lines: text.split('\n').length, published: publish(text) }).toEqual({
        text,
        lines: 1,
        published: text,
      });
  });
});

test('the help passes unchanged', () => {
  expect(publish(renderHelp())).toBe(renderHelp());
});

test('a reason that is a whole sentence ends with one full stop, and one that is none gets one', () => {
  const wait = (because: string) => formatAction({ kind: 'wait', on: 'hold', because });
  expect(wait('setup failed. Correct it and run /auto again.')).toBe(
    'wait, because setup failed. Correct it and run /auto again.',
  );
  expect(wait('the account rests')).toBe('wait, because the account rests.');
});

test('bars are escaped in tables only: elsewhere code shows them as they are', () => {
  const code = '`hour < 0 || hour >= 24`';
  expect(quoteLine(code)).toBe(code);
  expect(quoteCell(code)).toBe('`hour < 0 \\|\\| hour >= 24`');
});
