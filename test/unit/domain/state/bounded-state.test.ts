import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { formatState, parseState } from '../../../../src/adapters/state/state-text.js';
import { parseVerify } from '../../../../src/domain/criteria/criterion.js';
import { EMPTY_STATE, type IssueState, type Transition } from '../../../../src/domain/state/state.js';
import { boundState, MAX_STATE_BYTES } from '../../../../src/domain/state/bounded-state.js';
import { cutToBytes, jsonBytes } from '../../../../src/domain/sanitise/json-bytes.js';
import { anyState } from '../../../support/domain/arbitrary-state.js';

const place = {
  subject: { ref: { owner: 'ada', repo: 'sandbox', number: 7 }, repositoryDatabaseId: 42 },
  parent: null,
};
const signing = { keys: { current: { id: 'k1', secret: 's' } }, acceptUnsigned: false } as const;
const asFile = (state: IssueState): string => formatState(state, { owner: 'o', nonce: 'n' }, place, signing);

/** Letters that take one, two, three, four and six bytes in a file. */
const letters = fc.constantFrom('x', 'é', '本', '🌱', '\u0001', '\\', '\ud800');
const long = fc.tuple(letters, fc.constantFrom(10, 5_000, 65_536)).map(([letter, times]) => letter.repeat(times));
const many = <T>(of: fc.Arbitrary<T>, most: number): fc.Arbitrary<readonly T[]> =>
  fc.tuple(of, fc.constantFrom(1, Math.floor(most / 2), most)).map(([one, times]) => Array<T>(times).fill(one));
const OID = 'a'.repeat(40);

/** More than GitHub, a model or a stranger can put into a state at once. */
const hugeState: fc.Arbitrary<IssueState> = fc
  .record({
    body: long,
    title: long,
    summary: long,
    command: fc.tuple(letters, fc.constantFrom(1, 300)).map(([letter, times]) => letter.repeat(times)),
    items: many(long, 90),
    reviews: many(fc.string({ minLength: 20, maxLength: 100 }), 300),
    findings: many(long, 300),
    files: many(long, 500),
    lines: many(long, 200),
  })
  .map(({ body, title, summary, command, items, reviews, findings, files, lines }): IssueState => {
    const criteria = Array.from({ length: 20 }, (_, index) => ({
      id: `c${index + 1}`,
      text: summary,
      verify: { kind: 'command', run: command } as const,
      stage: 'pre-merge' as const,
    }));
    const transition = (because: string): Transition => ({ at: 1, phase: 'code', because, ms: 1, costUsd: 1 });
    return {
      ...EMPTY_STATE,
      run: {
        id: 'r',
        startedAt: 0,
        askedAt: 0,
        by: { id: 1, login: 'wren' },
        options: { base: 'main' },
        authorised: { title, body, hash: 'f'.repeat(64) },
        startsAt: 0,
        batch: null,
        guidance: summary,
        waiver: null,
        authorTrusted: false,
        approvedCriteria: null,
        ownSize: null,
        vouchedSize: null,
      },
      progress: {
        ...EMPTY_STATE.progress,
        triage: { type: 'task', size: 'M', reasons: items, summary, criteria, criteriaHash: 'f'.repeat(64) },
        spec: {
          criteriaHash: 'f'.repeat(64),
          approach: summary,
          files,
          steps: lines.map((text) => ({ text, criteria: reviews })),
          risks: items,
        },
        pushed: { head: OID, base: OID, summary, at: 0 },
        review: {
          head: OID,
          verdict: 'fix',
          findings: findings.map((text) => ({ severity: 'MUST', file: title, line: 1, text })),
          score: 1,
          summary,
        },
        verify: { oid: OID, results: criteria.map(({ id }) => ({ id, verdict: 'FAIL', evidence: body })) },
        fix: { source: 'checks', head: OID, items, reviews },
        ready: { commit: OID, title, summary },
        pullReason: summary,
        handledReviews: reviews,
      },
      handoff: { progress: body, files, testStatus: 'failed', decisions: items, openErrors: lines },
      feedback: items,
      halt: { state: 'failed', code: 'checks-red', because: summary },
      uncounted: reviews,
      transitions: lines.map(transition),
    };
  });

describe('a state', () => {
  test('fits into its file, whatever was put into it, and can be read again', () => {
    fc.assert(
      fc.property(hugeState, (state) => {
        const bounded = boundState(state);
        const file = asFile(bounded);
        expect(Buffer.byteLength(file)).toBeLessThanOrEqual(MAX_STATE_BYTES);
        expect(parseState(file, place, signing).kind).toBe('valid');
        expect(boundState(bounded)).toEqual(bounded);
        // Half a command would be another command.
        expect(bounded.progress.triage?.criteria.map(({ verify }) => verify)).toEqual(
          state.progress.triage?.criteria.map(({ verify }) => verify),
        );
      }),
      { numRuns: 10 },
    );
  }, 60_000);

  test('of usual length is left as it is', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        expect(boundState(state)).toEqual(state);
      }),
    );
  });

  test('keeps the first and the newest lines of its story, and says how many points were left out', () => {
    const transitions = Array.from({ length: 300 }, (_, at): Transition => ({ at, phase: 'code', because: 'x' }));
    const items = Array.from({ length: 90 }, (_, index) => `check ${index}: ${'x'.repeat(65_000)}`);
    const fix = { source: 'checks', head: OID, items } as const;
    const bounded = boundState({ ...EMPTY_STATE, transitions, progress: { ...EMPTY_STATE.progress, fix } });
    expect(bounded.transitions.map(({ at }) => at)).toEqual([0, ...Array.from({ length: 99 }, (_, at) => at + 201)]);
    expect(bounded.progress.fix?.items).toHaveLength(20);
    expect(bounded.progress.fix?.items.at(-1)).toBe('… and 71 more');
  });
});

describe('a text that is too long', () => {
  test('keeps its beginning and its end, in so many bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 20, max: 200 }), (text, bytes) => {
        const cut = cutToBytes(text, bytes);
        expect(jsonBytes(cut)).toBeLessThanOrEqual(Math.max(bytes, jsonBytes(text) <= bytes ? bytes : 0));
        expect(cutToBytes(cut, bytes)).toBe(cut);
        if (jsonBytes(text) <= bytes) expect(cut).toBe(text);
      }),
    );
    expect(cutToBytes(`begin ${'x'.repeat(500)} end`, 60)).toMatch(/^begin x+ \[…\] x* end$/);
  });

  test('is no command: it is refused where it is written', () => {
    expect(parseVerify(`command "${'x'.repeat(1_900)}"`)).toMatchObject({ kind: 'command' });
    expect(parseVerify(`command "${'x'.repeat(2_100)}"`)).toMatchObject({
      kind: 'malformed',
      why: 'it is longer than 2000 bytes',
    });
  });
});
