import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { routeFor, sizeOf } from '../../../../src/domain/state/evidence.js';
import { effectiveSize } from '../../../../src/domain/issue/given-size.js';
import { type Size, SIZES } from '../../../../src/domain/issue/size.js';
import type { Actor } from '../../../../src/domain/state/snapshot.js';
import { ADA, BOT, minute, snapshot, state, triage } from '../../../support/domain/snapshot-fixture.js';

const labelled = (label: string, actor: Actor) => ({
  id: label,
  kind: 'labeled' as const,
  label,
  actor,
  at: minute(1),
});

describe('the size of an issue', () => {
  test('is what the spec found, although our own label still says what triage found', () => {
    const seen = snapshot(state({ triage: triage('L') }), { labels: ['size/M'], events: [labelled('size/M', BOT)] });
    expect(sizeOf(seen)).toBe('L');
    expect(routeFor(seen)).toEqual({ kind: 'pr', depth: 'full' });
  });

  test('is what the state says, whatever labels and boards show', () => {
    const shown = { labels: ['size/S'], events: [labelled('size/S', ADA)], projectSize: 'XS' as const };
    expect(sizeOf(snapshot(state({ triage: triage('L') }), shown))).toBe('L');
    expect(sizeOf(snapshot(null, shown))).toBeNull();
  });
});

const given = (size: Size | null) => (size === null ? null : { size, by: 'ada', at: 0 });

test.each<[string, Size | null, Size | null, Size | null, Size | null]>([
  // own label, vouched for, found by triage, counts
  ['what triage found, where nobody says anything', null, null, 'M', 'M'],
  ['a permitted person’s own label, where it is smaller', 'XS', null, 'L', 'XS'],
  ['a permitted person’s own label, where it is larger', 'L', null, 'S', 'L'],
  ['what stood there, where it is larger than what triage found', null, 'L', 'S', 'L'],
  ['not what stood there, where it is smaller than what triage found', null, 'XS', 'M', 'M'],
  ['what stood there, where it is larger than the own label', 'S', 'M', null, 'M'],
  ['not what stood there, where it is smaller than the own label', 'M', 'S', 'XS', 'M'],
  ['nothing before triage, where only something small stood there', null, 'XS', null, null],
  ['what stood there before triage, where it needs a pull request', null, 'M', null, 'M'],
  ['an own label before triage', 'XS', null, null, 'XS'],
])('what counts is %s', (_, own, vouched, found, counts) => {
  expect(effectiveSize({ ownSize: given(own), vouchedSize: given(vouched) }, found)).toBe(counts);
});

test('no size of unknown origin makes a route weaker, whatever is known besides', () => {
  const sizes = fc.option(fc.constantFrom(...SIZES));
  const strength = (size: Size | null): number => SIZES.indexOf(size ?? 'M');
  fc.assert(
    fc.property(sizes, sizes, sizes, (own, vouched, found) => {
      const without = effectiveSize({ ownSize: given(own), vouchedSize: null }, found);
      const counted = effectiveSize({ ownSize: given(own), vouchedSize: given(vouched) }, found);
      expect(strength(counted)).toBeGreaterThanOrEqual(strength(without));
    }),
  );
});
