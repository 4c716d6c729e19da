import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../src/domain/decide/decide.js';
import { HALT_CODES } from '../../../../src/domain/issue/halt-codes.js';
import type { RunOptions } from '../../../../src/domain/issue/options.js';
import { type Phase, PHASES } from '../../../../src/domain/issue/phase.js';
import { routeOf } from '../../../../src/domain/issue/route.js';
import type { IssueState } from '../../../../src/domain/state/state.js';
import {
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

const asking = (options: RunOptions): Partial<IssueState> => ({ run: { ...RUN, options } });
const PUSHED = { head: OID.head, base: OID.base, summary: 'Added grow().', at: minute(9) };
const PASSED = { head: OID.head, verdict: 'pass', findings: [], score: 0.9, summary: 'Good.' } as const;
const VERIFIED = { oid: OID.merge, results: [{ id: 'c1', verdict: 'PASS', evidence: 'seen' }] } as const;
const planned = { triage: triage('M'), spec: SPEC };
const merged = { workHead: OID.head, pull: pull({ state: 'merged', mergeCommit: OID.merge }) };

/** An M issue about to enter each phase. */
const ABOUT_TO: Readonly<
  Record<Exclude<Phase, 'ready' | 'done'>, (options: RunOptions) => ReturnType<typeof snapshot>>
> = {
  issue: (options) => snapshot(state({}, asking(options))),
  spec: (options) => snapshot(state({ triage: triage('M') }, asking(options))),
  code: (options) => snapshot(state(planned, asking(options))),
  review: (options) =>
    snapshot(state({ ...planned, pushed: PUSHED }, asking(options)), { workHead: OID.head, pull: pull() }),
  merge: (options) =>
    snapshot(state({ ...planned, pushed: PUSHED, review: PASSED }, asking(options)), {
      workHead: OID.head,
      pull: pull(),
    }),
  verify: (options) => snapshot(state({ ...planned, pushed: PUSHED, review: PASSED }, asking(options)), merged),
};

describe('--stop-at', () => {
  const cases = Object.keys(ABOUT_TO).flatMap((next) =>
    PHASES.map((stopAt) => [stopAt, next as keyof typeof ABOUT_TO] as const),
  );

  test.each(cases)('%s, when %s is next', (stopAt, next) => {
    const action = decide(projected(ABOUT_TO[next]({ stopAt })), POLICY, NOW);
    if (PHASES.indexOf(next) > PHASES.indexOf(stopAt)) {
      expect(action).toMatchObject({ kind: 'halt', state: 'paused', code: 'stopped-at' });
      expect(action.because).toBe(`${next} is next, and the run was to stop at ${stopAt}`);
    } else expect(action.kind).not.toBe('halt');
  });

  test('code still opens the pull request: that is how its work is seen', () => {
    const given = snapshot(state({ ...planned, pushed: PUSHED }, asking({ stopAt: 'code' })), { workHead: OID.head });
    expect(decide(projected(given), POLICY, NOW)).toMatchObject({ kind: 'effect', effect: { kind: 'open-pr' } });
  });

  test('verify is the end: what holds is finished', () => {
    const given = snapshot(state({ ...planned, verify: VERIFIED }, asking({ stopAt: 'verify' })), merged);
    expect(decide(projected(given), POLICY, NOW)).toMatchObject({ kind: 'effect', effect: { kind: 'finish' } });
  });

  test.each<[Phase, 'patch' | 'pr']>([
    ['code', 'pr'],
    ['review', 'pr'],
    ['merge', 'patch'],
    ['verify', 'patch'],
  ])('%s sends a small issue by %s: before the merge nothing may be on base', (stopAt, kind) => {
    expect(routeOf({ size: 'XS', options: { stopAt }, baseProtected: false, pullReason: null }).kind).toBe(kind);
    expect(
      routeOf({ size: 'XS', options: { stopAt, route: 'patch' }, baseProtected: false, pullReason: null }).kind,
    ).toBe('patch');
  });

  test('says what goes on from there', () => {
    expect(HALT_CODES['stopped-at'].remedy).toContain('`/auto` goes on to the end');
  });
});

describe('--base', () => {
  test('that does not exist stops the run instead of working on the default branch', () => {
    const given = snapshot(state({}, asking({ base: 'release/2' })));
    expect(decide(projected(given), POLICY, NOW)).toMatchObject({
      kind: 'halt',
      state: 'needs-human',
      code: 'base-missing',
      because: 'there is no branch release/2',
    });
  });

  test('that exists is worked on', () => {
    const base = {
      ref: 'release/2',
      head: OID.base,
      protected: false,
      holdsLanded: null,
      checks: 'none' as const,
      defaultHead: null,
    };
    const given = snapshot(state({}, asking({ base: 'release/2' })), { base });
    expect(decide(projected(given), POLICY, NOW)).toMatchObject({ kind: 'run', phase: 'issue' });
  });

  test('that was removed after the work was verified changes nothing', () => {
    const done = { ...planned, verify: VERIFIED, done: { oid: OID.merge, at: minute(20) } };
    const given = snapshot(state(done, asking({ base: 'release/2' })), merged);
    expect(decide(projected(given), POLICY, NOW)).toMatchObject({ kind: 'wait', on: 'rest' });
  });
});

test.each([
  [1, 1, 'halt'],
  [2, 1, 'run'],
  [30, 25, 'run'],
  [30, 30, 'halt'],
])('--max-iterations %d after %d agent runs: %s', (maxIterations, agentRuns, kind) => {
  const counters = { ...state().counters, agentRuns };
  const given = snapshot(state({}, { ...asking({ maxIterations }), counters }));
  expect(decide(projected(given), POLICY, NOW).kind).toBe(kind);
});
