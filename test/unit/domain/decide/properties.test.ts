import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Action } from '../../../../src/domain/action/action.js';
import { formatVerify, parseVerify, type VerifyCommand } from '../../../../src/domain/criteria/criterion.js';
import { decide } from '../../../../src/domain/decide/decide.js';
import { formatIssue, parseIssue } from '../../../../src/domain/issue/ids.js';
import { LABELS, labelChange, phasesIn, runStatesIn, sizeIn } from '../../../../src/domain/issue/label.js';
import { PHASES } from '../../../../src/domain/issue/phase.js';
import { SIZES } from '../../../../src/domain/issue/size.js';
import type { IssueSnapshot } from '../../../../src/domain/state/snapshot.js';
import {
  check,
  minute,
  NOW,
  OID,
  POLICY,
  projected,
  pull,
  snapshot,
  SPEC,
  state,
  triage,
} from '../../../support/domain/snapshot-fixture.js';
import { commentsOf, driftOf } from '../../../support/domain/rendered.js';

const label = fc.oneof(
  fc.constantFrom(...LABELS.map(({ name }) => name)),
  fc.constantFrom('bug', 'Phase/Code ', 'size/huge', 'PHASE/SPEC', 'auto/pilot'),
);
/** GitHub keeps label names unique without regard to case and surrounding space. */
const labels = fc.uniqueArray(label, { maxLength: 8, selector: (name) => name.trim().toLowerCase() });

const review = fc.record({
  head: fc.constantFrom(OID.head, OID.other),
  verdict: fc.constantFrom('pass' as const, 'fix' as const),
  findings: fc.constant([{ severity: 'MUST' as const, file: 'a', line: 1, text: 'x' }]),
  score: fc.constant(0.5),
  summary: fc.constant('s'),
});

const progress = fc.record({
  triage: fc.option(fc.constantFrom(...SIZES).map(triage)),
  spec: fc.option(fc.constant(SPEC)),
  pushed: fc.option(fc.constant({ head: OID.head, base: OID.base, summary: '', at: minute(5) })),
  landed: fc.option(fc.constant({ oid: OID.merge, at: minute(20) })),
  review: fc.option(review),
  verify: fc.option(
    fc
      .constantFrom('PASS' as const, 'FAIL' as const, 'UNCERTAIN' as const)
      .map((verdict) => ({ oid: OID.merge, results: [{ id: 'c1', verdict, evidence: '' }] })),
  ),
  done: fc.option(fc.constant({ oid: OID.merge, at: minute(25) })),
  supersededPr: fc.constantFrom(0, 12),
});

const counters = fc.record({
  agentRuns: fc.nat(25),
  failures: fc.nat(4),
  crashes: fc.nat(6),
  reviewRounds: fc.nat(4),
  checkFixes: fc.nat(4),
  conflictFixes: fc.nat(4),
  partialRuns: fc.nat(4),
  neverRan: fc.nat(60),
  noProgress: fc.nat(4),
  activeMs: fc.nat(),
  verifyIterations: fc.nat(4),
  peopleRounds: fc.nat(4),
  mergeTries: fc.nat(4),
});

const pulls = fc.record({
  state: fc.constantFrom('open' as const, 'closed' as const, 'merged' as const),
  head: fc.constantFrom(OID.head, OID.other),
  mergeable: fc.constantFrom('yes' as const, 'conflict' as const, 'unknown' as const),
  mergeCommit: fc.constantFrom(null, OID.merge),
  checks: fc.array(
    fc
      .record({
        outcome: fc.constantFrom('pending' as const, 'green' as const, 'red' as const),
        required: fc.boolean(),
        appId: fc.constantFrom(5, 77, null),
      })
      .map(check),
    { maxLength: 2 },
  ),
});

/** Any issue Sluice could find, however odd. */
const anySnapshot: fc.Arbitrary<IssueSnapshot> = fc
  .record({
    progress,
    counters,
    pull: fc.option(pulls),
    labels,
    lease: fc.option(
      fc
        .constantFrom(minute(10), minute(50))
        .map((until) => ({ owner: 'w', phase: 'code' as const, phaseRun: 'p', until, store: null })),
    ),
    halt: fc.option(
      fc
        .constantFrom('needs-human' as const, 'failed' as const)
        .map((kind) => ({ state: kind, code: 'phase-failed' as const, because: 'x' })),
    ),
    holdsLanded: fc.constantFrom(null, true, false),
    isProtected: fc.boolean(),
    reopened: fc.option(fc.constantFrom(minute(2), minute(27))),
    workHead: fc.constantFrom(null, OID.head),
  })
  .map((given) =>
    snapshot(state(given.progress, { counters: given.counters, lease: given.lease, halt: given.halt }), {
      labels: given.labels,
      pull: given.pull === null ? null : pull(given.pull),
      base: {
        ref: 'main',
        head: OID.base,
        protected: given.isProtected,
        holdsLanded: given.holdsLanded,
        checks: 'none' as const,
        defaultHead: null,
      },
      events:
        given.reopened === null ? [] : [{ id: 'e', kind: 'reopened', label: null, actor: null, at: given.reopened }],
      workHead: given.workHead,
    }),
  );

describe('whatever the facts are', () => {
  test('after a transition there is exactly one phase, at most one run state and one size', () => {
    fc.assert(
      fc.property(labels, fc.constantFrom(...PHASES), fc.constantFrom(...SIZES), (current, phase, size) => {
        const { add, remove } = labelChange(current, { phase, run: 'running', size, triaged: true });
        const after = [...current.filter((name) => !remove.includes(name)), ...add];
        expect(phasesIn(after)).toEqual([phase]);
        expect(runStatesIn(after)).toEqual(['running']);
        expect(sizeIn(after)).toBe(size);
        expect(add.filter((name) => remove.includes(name))).toEqual([]);
      }),
    );
  });

  test('deciding twice gives the same action', () => {
    fc.assert(
      fc.property(anySnapshot, (given) => expect(decide(given, POLICY, NOW)).toEqual(decide(given, POLICY, NOW))),
    );
  });

  test('showing the state once is enough', () => {
    fc.assert(fc.property(anySnapshot, (given) => expect(driftOf(projected(given), POLICY)).toEqual([])));
  });

  test('a status never says Working where the decision is to wait for more than a minute, and never Waiting where it is to run', () => {
    fc.assert(
      fc.property(anySnapshot, (given) => {
        const shown = projected(given);
        const action = decide(shown, POLICY, shown.readAt);
        const status = commentsOf(shown, POLICY).find(({ slot }) => slot === 'status')?.body;
        const lasts = action.kind === 'wait' && (action.until ?? Number.POSITIVE_INFINITY) > shown.readAt + 60_000;
        const isIdle = lasts && !['rest', 'not-driven', 'lease', 'takeover'].includes(action.on);
        if (isIdle) expect(status).not.toContain('### Working');
        if (action.kind === 'run') expect(status).not.toContain('### Waiting for');
      }),
      { numRuns: 300 },
    );
  });

  test('every action says why', () => {
    fc.assert(fc.property(anySnapshot, (given) => expect(decide(given, POLICY, NOW).because).not.toBe('')));
  });

  test('an issue that rests was put to rest by somebody; one that waits has a deadline', () => {
    fc.assert(
      fc.property(anySnapshot, (given) => {
        const action: Action = decide(projected(given), POLICY, NOW);
        if (action.kind !== 'wait') return;
        if (action.on === 'rest' || action.on === 'not-driven') {
          const { halt, progress: made } = given.reading.kind === 'valid' ? given.reading.state : state();
          expect(halt !== null || made.done !== null).toBe(true);
        } else expect(action.until).toBeGreaterThan(NOW);
      }),
    );
  });
});

describe('texts that come in pairs', () => {
  test('issue references', () => {
    const ref = fc.record({
      owner: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/),
      // GitHub has no repository of these names, and as a part of a path they lead elsewhere.
      repo: fc.stringMatching(/^[\w.-]{1,30}$/).filter((name) => name !== '.' && name !== '..'),
      number: fc.integer({ min: 1, max: 999_999 }),
    });
    fc.assert(fc.property(ref, (given) => expect(parseIssue(formatIssue(given))).toEqual(given)));
  });

  test('verify commands', () => {
    const word = fc.string({ minLength: 1 }).filter((text) => !/[\n\r]/.test(text) && text.trim() !== '');
    const command: fc.Arbitrary<VerifyCommand> = fc.oneof(
      word.map((run) => ({ kind: 'command' as const, run })),
      word.map((path) => ({ kind: 'file_exists' as const, path })),
      fc.tuple(word, word).map(([path, text]) => ({ kind: 'file_contains' as const, path, text })),
      fc.tuple(word, word).map(([pattern, path]) => ({ kind: 'grep' as const, pattern, path })),
    );
    fc.assert(fc.property(command, (given) => expect(parseVerify(formatVerify(given))).toEqual(given)));
  });
});
