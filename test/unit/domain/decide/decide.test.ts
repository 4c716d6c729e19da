import { describe, expect, test } from '@jest/globals';
import type { Action } from '../../../../src/domain/action/action.js';
import { decide } from '../../../../src/domain/decide/decide.js';
import type { IssueSnapshot } from '../../../../src/domain/state/snapshot.js';
import type { IssueState } from '../../../../src/domain/state/state.js';
import {
  ADA,
  check,
  minute,
  NOW,
  OID,
  POLICY,
  projected,
  pull,
  RUN,
  snapshot,
  SPEC,
  state,
  triage,
} from '../../../support/domain/snapshot-fixture.js';

const PUSHED = { head: OID.head, base: OID.base, summary: 'Added grow().', at: minute(9) };
const PASSED = { head: OID.head, verdict: 'pass', findings: [], score: 0.9, summary: 'Good.' } as const;
const MUST = { severity: 'MUST', file: 'src/grow.js', line: 3, text: 'handle zero' } as const;
const TO_FIX = { head: OID.head, verdict: 'fix', findings: [MUST], score: 0.4, summary: 'Not yet.' } as const;

/** An M issue whose work is pushed. */
const pushed = (more = {}, around: Partial<IssueState> = {}) =>
  state({ triage: triage('M'), spec: SPEC, pushed: PUSHED, ...more }, around);

/** What is decided once GitHub shows the state: `kind phase|effect|on|code`. */
function told(given: IssueSnapshot, now = NOW): string {
  const action: Action = decide(projected(given), POLICY, now);
  switch (action.kind) {
    case 'run':
      return ['run', action.phase, action.depth].filter((word) => word !== undefined).join(' ');
    case 'wait':
      return `wait ${action.on}`;
    case 'effect':
      return action.effect.kind === 'request-fix' ? `fix ${action.effect.fix.source}` : action.effect.kind;
    case 'halt':
      return `halt ${action.code}`;
  }
}

const RED = check({ outcome: 'red', required: true });

describe('what comes next', () => {
  test.each<[string, IssueSnapshot, string]>([
    ['an issue nobody asked about is left alone', snapshot(null), 'wait not-driven'],
    ['a driven issue is triaged first', snapshot(state()), 'run issue'],
    ['XS needs no spec', snapshot(state({ triage: triage('XS') })), 'run code'],
    ['S is specified first', snapshot(state({ triage: triage('S') })), 'run spec'],
    ['S with a spec is coded', snapshot(state({ triage: triage('S'), spec: SPEC })), 'run code'],
    [
      'a spec for other criteria does not count',
      snapshot(state({ triage: triage('S'), spec: { ...SPEC, criteriaHash: 'old' } })),
      'run spec',
    ],
    ['XL is answered clearly', snapshot(state({ triage: triage('XL') })), 'halt xl-unsupported'],
    [
      'a permitted person’s size label beats triage',
      snapshot(state({ triage: triage('XL') }, { run: { ...RUN, ownSize: { size: 'S', by: 'ada', at: 0 } } })),
      'run spec',
    ],
    [
      'a label that nobody permitted set does not',
      snapshot(state({ triage: triage('XL') }), { labels: ['size/S'], projectSize: 'S' }),
      'halt xl-unsupported',
    ],
    [
      'a larger size that was vouched for beats both',
      snapshot(state({ triage: triage('S') }, { run: { ...RUN, vouchedSize: { size: 'XL', by: 'ada', at: 0 } } })),
      'halt xl-unsupported',
    ],
    ['M without pushed work is coded', snapshot(state({ triage: triage('M'), spec: SPEC })), 'run code'],
    ['pushed work gets a pull request', snapshot(pushed(), { workHead: OID.head }), 'open-pr'],
    [
      'a pull request with green checks is reviewed lightly for M',
      snapshot(pushed(), { workHead: OID.head, pull: pull() }),
      'run review light',
    ],
    [
      'and fully for L',
      snapshot(state({ triage: triage('L'), spec: SPEC, pushed: PUSHED }), { workHead: OID.head, pull: pull() }),
      'run review full',
    ],
    [
      'pending checks are waited for',
      snapshot(pushed(), { workHead: OID.head, pull: pull({ checks: [check({ outcome: 'pending' })] }) }),
      'wait checks',
    ],
    [
      'red checks that base requires are fixed',
      snapshot(pushed(), { workHead: OID.head, pull: pull({ checks: [check({ outcome: 'red', required: true })] }) }),
      'fix checks',
    ],
    [
      'silence right after a push is not success',
      snapshot(pushed(), { workHead: OID.head, pull: pull({ checks: [], createdAt: minute(29) }) }),
      'wait checks',
    ],
    [
      'silence after the dwell means there are no checks',
      snapshot(pushed(), { workHead: OID.head, pull: pull({ checks: [] }) }),
      'run review light',
    ],
    [
      'checks that never end are a person’s business',
      snapshot(pushed({ pushed: { ...PUSHED, at: minute(-60) } }), {
        workHead: OID.head,
        pull: pull({ createdAt: minute(-60), checks: [check({ outcome: 'pending' })] }),
      }),
      'halt checks-missing',
    ],
    [
      'conflicts come before checks',
      snapshot(pushed(), {
        workHead: OID.head,
        pull: pull({ mergeable: 'conflict', checks: [check({ outcome: 'red' })] }),
      }),
      'fix conflict',
    ],
    [
      'MUST findings are fixed',
      snapshot(pushed({ review: TO_FIX }), { workHead: OID.head, pull: pull() }),
      'fix review',
    ],
    [
      'a push the pull request does not show yet is waited for, not fixed again',
      snapshot(pushed({ review: TO_FIX }), { workHead: OID.other, pull: pull() }),
      'wait mergeability',
    ],
    [
      'a review of another head is no review',
      snapshot(pushed({ review: { ...PASSED, head: OID.other } }), { workHead: OID.head, pull: pull() }),
      'run review light',
    ],
    ['a reviewed head is merged', snapshot(pushed({ review: PASSED }), { workHead: OID.head, pull: pull() }), 'merge'],
    [
      'unknown mergeability is waited for',
      snapshot(pushed({ review: PASSED }), { workHead: OID.head, pull: pull({ mergeable: 'unknown' }) }),
      'wait mergeability',
    ],
    [
      'unknown mergeability is not waited for without an end',
      snapshot(
        pushed(
          { review: PASSED },
          { silence: { about: 'mergeability', head: OID.head, since: NOW - POLICY.silenceMs } },
        ),
        { workHead: OID.head, pull: pull({ mergeable: 'unknown' }) },
      ),
      'halt mergeability-unknown',
    ],
    [
      'a pushed head that GitHub never shows is not waited for without an end',
      snapshot(pushed({}, { silence: { about: 'head', head: OID.other, since: NOW - POLICY.silenceMs } }), {
        workHead: OID.other,
        pull: pull(),
      }),
      'halt head-not-shown',
    ],
    [
      'a pull request whose checks GitHub left out is not judged by their absence',
      snapshot(pushed({ review: PASSED }), { workHead: OID.head, pull: pull({ checks: [], isCut: true }) }),
      'wait mergeability',
    ],
    [
      'a closed issue is not merged, whoever closed it',
      snapshot(pushed({ review: PASSED }), { state: 'closed', workHead: OID.head, pull: pull() }),
      'halt stopped',
    ],
    [
      'a pull request closed unmerged needs a person',
      snapshot(pushed(), { workHead: OID.head, pull: pull({ state: 'closed' }) }),
      'halt pr-closed',
    ],
    [
      'a merged pull request satisfies code, review and merge',
      snapshot(pushed(), { pull: pull({ state: 'merged', mergeCommit: OID.merge }) }),
      'run verify',
    ],
    [
      'our commit on base is verified',
      snapshot(state({ triage: triage('XS'), landed: { oid: OID.merge, at: minute(20) } }), {
        base: {
          ref: 'main',
          head: OID.merge,
          protected: false,
          holdsLanded: true,
          checks: 'none' as const,
          defaultHead: null,
        },
      }),
      'run verify',
    ],
    [
      'a commit that is not on base has not landed',
      snapshot(state({ triage: triage('XS'), landed: { oid: OID.merge, at: minute(20) } }), {
        base: {
          ref: 'main',
          head: OID.base,
          protected: false,
          holdsLanded: false,
          checks: 'none' as const,
          defaultHead: null,
        },
      }),
      'run code',
    ],
    [
      'a protected base turns patch into a pull request',
      snapshot(state({ triage: triage('XS'), pushed: PUSHED }), {
        workHead: OID.head,
        base: {
          ref: 'main',
          head: OID.base,
          protected: true,
          holdsLanded: null,
          checks: 'none' as const,
          defaultHead: null,
        },
      }),
      'open-pr',
    ],
  ])('%s', (_, given, expected) => {
    expect(told(given)).toBe(expected);
  });

  const landed = { oid: OID.merge, at: minute(20) };
  const onBase = {
    base: {
      ref: 'main',
      head: OID.merge,
      protected: false,
      holdsLanded: true,
      checks: 'none' as const,
      defaultHead: null,
    },
  };
  const verified = (verdict: 'PASS' | 'FAIL' | 'UNCERTAIN', more = {}) =>
    snapshot(
      state(
        {
          triage: triage('XS'),
          landed,
          verify: { oid: OID.merge, results: [{ id: 'c1', verdict, evidence: 'seen' }] },
        },
        more,
      ),
      onBase,
    );

  test.each([
    ['all criteria pass: finished', verified('PASS'), 'finish'],
    ['one fails: back to code', verified('FAIL'), 'fix verify'],
    [
      'one fails for the last time: given up',
      verified('FAIL', { counters: { ...state().counters, verifyIterations: 3 } }),
      'halt verify-failed',
    ],
    ['one cannot be judged: a person decides', verified('UNCERTAIN'), 'halt criteria-manual'],
  ])('%s', (_, given, expected) => {
    expect(told(given)).toBe(expected);
  });

  test('work that landed before the issue was reopened does not count', () => {
    const events = [{ id: 'e1', kind: 'reopened', label: null, actor: ADA, at: minute(25) }] as const;
    expect(told(snapshot(state({ triage: triage('XS'), landed }), { ...onBase, events }))).toBe('run code');
    expect(told(snapshot(pushed(), { events, pull: pull({ state: 'merged', mergeCommit: OID.merge }) }))).toBe(
      'run code',
    );
  });

  test('a pull request of an earlier iteration does not count', () => {
    expect(
      told(
        snapshot(state({ triage: triage('M'), spec: SPEC, supersededPr: 12 }), {
          pull: pull({ state: 'merged', mergeCommit: OID.merge }),
        }),
      ),
    ).toBe('run code');
  });

  test('a live lease is respected, a dead one is not', () => {
    const lease = { owner: 'w1', phase: 'issue', phaseRun: 'p1', until: minute(35), store: 's1' } as const;
    expect(decide(snapshot(state({}, { lease })), POLICY, minute(34))).toMatchObject({
      kind: 'wait',
      on: 'lease',
      until: minute(35),
    });
    expect(decide(projected(snapshot(state({}, { lease }))), POLICY, minute(35))).toMatchObject({
      kind: 'run',
      phase: 'issue',
    });
  });

  const HELD = { owner: 'w1', phase: 'code', phaseRun: 'p1', until: minute(45), store: 's1' } as const;
  test.each([
    ['has just been heard of', { kind: 'seen', agoMs: 9_000 }, 'wait lease', minute(45), 'code is running'],
    ['is silent', { kind: 'seen', agoMs: 40_000 }, 'wait takeover', NOW + 20_000, 'has not answered for 40 s'],
    ['is unknown', { kind: 'unknown' }, 'wait lease', minute(45), 'cannot be seen from here'],
  ] as const)('a lease whose owner %s is respected, and the words are true', (_, owner, what, until, words) => {
    const action = decide(snapshot(state({}, { lease: HELD })), { ...POLICY, owner }, NOW);
    expect(action).toMatchObject({ kind: 'wait', until, because: expect.stringContaining(words) });
    expect(action.kind === 'wait' ? `wait ${action.on}` : action.kind).toBe(what);
  });

  test.each([
    ['has been silent for a minute', { kind: 'seen', agoMs: 60_000 }],
    ['left in good order', { kind: 'left' }],
  ] as const)('a lease whose owner %s is taken over', (_, owner) => {
    const policy = { ...POLICY, owner };
    const lease = { ...HELD, phase: 'issue' } as const;
    expect(decide(projected(snapshot(state({}, { lease })), policy), policy, NOW)).toMatchObject({ kind: 'run' });
  });

  test('a state that is not ours is never continued', () => {
    const foreign = snapshot(null, {
      reading: { kind: 'unverifiable', oid: OID.other, why: 'the signature is wrong' },
    });
    expect(decide(foreign, POLICY, NOW)).toMatchObject({
      kind: 'wait',
      on: 'rest',
      because: expect.stringContaining('the signature is wrong'),
    });
  });

  test('holds delay whatever would start', () => {
    const hold = { on: 'quota', until: minute(90), because: 'usage limit until 13:30' } as const;
    const policy = { ...POLICY, holds: [hold] };
    const shown = projected(snapshot(state()), policy);
    expect(shown.comments.find(({ body }) => body.startsWith('<!-- sluice:status'))?.body).toContain('13:30');
    expect(decide(shown, policy, NOW)).toMatchObject({ kind: 'wait', on: 'hold', until: minute(90) });
  });

  test.each([
    ['failures', { failures: 3 }, 'halt phase-failed'],
    ['agent runs', { agentRuns: 20 }, 'halt too-many-runs'],
  ])('%s are bounded', (_, counters, expected) => {
    expect(told(snapshot(state({}, { counters: { ...state().counters, ...counters } })))).toBe(expected);
  });

  test.each([
    ['review rounds', { review: TO_FIX }, { reviewRounds: 3 }, {}, 'halt review-unresolved'],
    ['conflict fixes', {}, { conflictFixes: 3 }, { mergeable: 'conflict' as const }, 'halt conflict-unresolved'],
    ['check fixes', {}, { checkFixes: 3 }, { checks: [RED] }, 'halt checks-red'],
    ['merge tries', { review: PASSED }, { mergeTries: 3 }, {}, 'halt merge-refused'],
  ])('%s are bounded', (_, progress, counters, facts, expected) => {
    const given = state(
      { triage: triage('M'), spec: SPEC, pushed: PUSHED, ...progress },
      { counters: { ...state().counters, ...counters } },
    );
    expect(told(snapshot(given, { workHead: OID.head, pull: pull(facts) }))).toBe(expected);
  });

  test('every decision says why', () => {
    expect(
      decide(projected(snapshot(pushed({ review: PASSED }), { workHead: OID.head, pull: pull() })), POLICY, NOW)
        .because,
    ).toBe('aaaaaaa is reviewed and its checks are green');
  });

  test('expected checks must appear by name', () => {
    const policy = { ...POLICY, expectedChecks: ['test', 'build'] };
    const given = projected(snapshot(pushed(), { workHead: OID.head, pull: pull() }), policy);
    expect(decide(given, policy, NOW)).toMatchObject({
      kind: 'wait',
      on: 'checks',
      because: 'waiting for build',
    });
  });
});
