import { describe, expect, test } from '@jest/globals';
import { landedCommit, currentPhase, routeFor, sizeOf } from '../../../../src/domain/state/evidence.js';
import { findBoxes, tickBoxes } from '../../../../src/domain/criteria/criterion.js';
import { decide } from '../../../../src/domain/decide/decide.js';
import { labelChange, phasesIn } from '../../../../src/domain/issue/label.js';
import { phasesOf, routeOf } from '../../../../src/domain/issue/route.js';
import type { IssueSnapshot } from '../../../../src/domain/state/snapshot.js';
import type { Size } from '../../../../src/domain/issue/size.js';
import {
  BOT,
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

/* Cases other systems of this kind learned the hard way, as we answer them. */

const next = (seen: IssueSnapshot): string => {
  const action = decide(projected(seen), POLICY, NOW);
  switch (action.kind) {
    case 'run':
      return `run ${action.phase}${action.depth === undefined ? '' : ` ${action.depth}`}`;
    case 'wait':
      return `wait ${action.on}`;
    case 'halt':
      return `halt ${action.code}`;
    case 'effect':
      return action.effect.kind;
  }
};

const PUSHED = { pushed: { head: OID.head, base: OID.base, summary: '', at: minute(9) } };
const LANDED = { landed: { oid: OID.head, at: minute(12) } };
const onBase = {
  base: {
    ref: 'main',
    head: OID.head,
    protected: false,
    holdsLanded: true,
    checks: 'none' as const,
    defaultHead: null,
  },
};
const reopened = (at: number) => ({ id: `r${at}`, kind: 'reopened' as const, label: null, actor: BOT, at: minute(at) });
const asking = (options: (typeof RUN)['options']) => ({ run: { ...RUN, options } });

describe('routing', () => {
  test.each<[Size, string]>([
    ['XS', 'issue code verify done'],
    ['S', 'issue spec code verify done'],
    ['M', 'issue spec code review merge verify done'],
    ['L', 'issue spec code review merge verify done'],
  ])('%s goes through %s', (size, phases) => {
    expect(phasesOf(routeOf({ size, options: {}, baseProtected: false, pullReason: null }), size).join(' ')).toBe(
      phases,
    );
  });

  test.each<[string, Parameters<typeof routeOf>[0], object]>([
    [
      'M is reviewed lightly',
      { size: 'M', options: {}, baseProtected: false, pullReason: null },
      { kind: 'pr', depth: 'light' },
    ],
    [
      'L is reviewed fully',
      { size: 'L', options: {}, baseProtected: false, pullReason: null },
      { kind: 'pr', depth: 'full' },
    ],
    [
      'no size is a light review',
      { size: null, options: {}, baseProtected: false, pullReason: null },
      { kind: 'pr', depth: 'light' },
    ],
    [
      'XS with --pr is a pull request',
      { size: 'XS', options: { route: 'pr' }, baseProtected: false, pullReason: null },
      { kind: 'pr', depth: 'light' },
    ],
    [
      'a protected base beats --patch',
      { size: 'XS', options: { route: 'patch' }, baseProtected: true, pullReason: null },
      { kind: 'pr', depth: 'light' },
    ],
  ])('%s', (_, facts, route) => {
    expect(routeOf(facts)).toEqual(route);
  });

  test.each<[Size, Size, string]>([
    ['M', 'XS', 'patch'],
    ['S', 'M', 'pr'],
    ['M', 'M', 'pr'],
  ])('a spec that makes %s of %s re-routes to %s', (before, after, route) => {
    const label = { id: 'e', kind: 'labeled' as const, label: `size/${before}`, actor: BOT, at: minute(1) };
    const seen = snapshot(state({ triage: triage(after), spec: SPEC }), {
      labels: [`size/${before}`],
      events: [label],
    });
    expect(routeFor(seen).kind).toBe(route);
  });

  test.each([
    ['the board beats the label', { ownSize: 'S', vouchedSize: 'M' }, 'M'],
    ['an empty board leaves it to the label', { ownSize: 'S' }, 'S'],
    ['a size nobody gave is none', {}, null],
  ] as const)('%s', (_, sizes: Partial<Record<'ownSize' | 'vouchedSize', Size>>, size) => {
    const words = Object.fromEntries(Object.entries(sizes).map(([key, one]) => [key, { size: one, by: 'ada', at: 0 }]));
    expect(sizeOf(snapshot(state({}, { run: { ...RUN, ...words } })))).toBe(size);
  });

  test.each([
    [
      'review',
      { review: { head: OID.head, verdict: 'pass' as const, findings: [], score: 0.9, summary: '' } },
      'halt stopped-at',
    ],
    ['code', {}, 'halt stopped-at'],
  ])('--stop-at %s goes no further', (stopAt, progress, wanted) => {
    const seen = snapshot(
      state(
        { triage: triage('M'), spec: SPEC, ...PUSHED, ...progress },
        asking({ stopAt: stopAt as 'review' | 'code' }),
      ),
      {
        workHead: OID.head,
        pull: pull(),
      },
    );
    expect(next(seen)).toBe(wanted);
  });

  test.each(['phase/code', 'phase/review', 'phase/merge', 'phase/verify'])(
    '%s that nobody earned does not skip the work',
    (label) => {
      expect(next(snapshot(state({ triage: triage('M'), spec: SPEC }), { labels: [label] }))).toBe('run code');
    },
  );
});

describe('labels', () => {
  const to = (phase: 'verify' | 'done', current: readonly string[]) =>
    labelChange(current, { phase, run: null, size: null, triaged: false });

  test('a label that is there is neither taken off nor set again', () => {
    expect(to('verify', ['phase/verify', 'phase/code'])).toEqual({ add: [], remove: ['phase/code'] });
  });

  test.each([
    ['done', 'verify'],
    ['verify', 'done'],
  ] as const)('from %s to %s one phase is left', (from, phase) => {
    const { add, remove } = to(phase, [`phase/${from}`, 'bug']);
    expect(phasesIn([...add, ...[`phase/${from}`].filter((label) => !remove.includes(label))])).toEqual([phase]);
  });
});

describe('what counts as landed', () => {
  const landed = (events: IssueSnapshot['events'], more: Partial<IssueSnapshot> = {}) =>
    landedCommit(snapshot(state({ triage: triage('S'), spec: SPEC, ...LANDED }), { ...onBase, events, ...more }));

  test('our commit on base does', () => expect(landed([])?.oid).toBe(OID.head));
  test('not when the issue was reopened after it, whatever the label says', () =>
    expect(landed([reopened(20)], { labels: ['phase/verify'] })).toBeNull());
  test('again when it is newer than the reopening', () => expect(landed([reopened(5)])?.oid).toBe(OID.head));
  test('not when base does not hold it', () =>
    expect(landed([], { base: { ...onBase.base, holdsLanded: false } })).toBeNull());
  test('a merged pull request does, although it is not open any more', () => {
    const merged = pull({ state: 'merged', mergeCommit: OID.merge, mergedAt: minute(15) });
    const seen = snapshot(state({ triage: triage('M'), spec: SPEC, ...PUSHED }), { pull: merged });
    expect(landedCommit(seen)?.oid).toBe(OID.merge);
    expect(currentPhase(seen)).toBe('verify');
  });
  test('a pull request older than the reopening does not', () => {
    const seen = snapshot(state({ triage: triage('M'), spec: SPEC, ...PUSHED }), {
      pull: pull({ state: 'merged', mergeCommit: OID.merge, mergedAt: minute(11) }),
      events: [reopened(20)],
    });
    expect(landedCommit(seen)).toBeNull();
  });
});

describe('nothing is complete by its looks', () => {
  test.each<[string, IssueSnapshot, string]>([
    ['triaged alone is no triage', snapshot(state(), { labels: ['triaged'] }), 'run issue'],
    ['phase/spec is past triage', snapshot(state({ triage: triage('S') }), { labels: ['phase/spec'] }), 'run spec'],
    ['a lost label is put back, not worked on again', snapshot(state({ triage: triage('S'), spec: SPEC })), 'run code'],
    [
      'commits without a pull request get one',
      snapshot(state({ triage: triage('M'), spec: SPEC, ...PUSHED }), { workHead: OID.head }),
      'open-pr',
    ],
    [
      'an open issue at phase/verify is not verified',
      snapshot(state({ triage: triage('S'), spec: SPEC, ...LANDED }), { ...onBase, labels: ['phase/verify'] }),
      'run verify',
    ],
    [
      'a closed one is not either',
      snapshot(state({ triage: triage('S'), spec: SPEC, ...LANDED }), { ...onBase, state: 'closed' }),
      'run verify',
    ],
  ])('%s', (_, seen, wanted) => {
    expect(next(seen)).toBe(wanted);
  });
});

describe('before a merge', () => {
  const reviewed = (more: Parameters<typeof pull>[0]) =>
    next(
      snapshot(
        state({
          triage: triage('M'),
          spec: SPEC,
          ...PUSHED,
          review: { head: OID.head, verdict: 'pass', findings: [], score: 0.9, summary: '' },
        }),
        { workHead: OID.head, pull: pull(more) },
      ),
    );

  test.each([
    [
      'pending checks are waited for',
      { mergeState: 'UNSTABLE', checks: [check({ outcome: 'pending' })] },
      'wait checks',
    ],
    [
      'a red one that base requires is fixed',
      { mergeState: 'UNSTABLE', checks: [check({ outcome: 'red', required: true })] },
      'request-fix',
    ],
    [
      'another red one is left to people',
      { mergeState: 'UNSTABLE', checks: [check({ outcome: 'red' })] },
      'wait person',
    ],
    ['not knowing whether it can be merged is waited for', { mergeable: 'unknown' as const }, 'wait mergeability'],
    ['no checks shortly after a push are waited for', { checks: [], createdAt: NOW - 10_000 }, 'wait checks'],
    ['no checks long after it are none', { checks: [] }, 'merge'],
  ])('%s', (_, more, wanted) => {
    expect(reviewed(more)).toBe(wanted);
  });
});

test('boxes in fenced samples are no criteria, and are never ticked', () => {
  const body = '```\n- [ ] sample\n```\n- [ ] real\n';
  expect(findBoxes(body).map(({ text }) => text)).toEqual(['real']);
  expect(tickBoxes(body, new Set(['sample', 'real']))).toBe('```\n- [ ] sample\n```\n- [x] real\n');
});
