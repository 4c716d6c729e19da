import { describe, expect, test } from '@jest/globals';
import { routeFor, sizeOf } from '../../src/domain/completion.js';
import type { Account } from '../../src/domain/snapshot.js';
import { ADA, BOT, minute, snapshot, state, triage } from '../support/snapshot.js';

const labelled = (label: string, actor: Account) => ({
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

  test('is what a person says it is', () => {
    const seen = snapshot(state({ triage: triage('L') }), { labels: ['size/S'], events: [labelled('size/S', ADA)] });
    expect(sizeOf(seen)).toBe('S');
  });

  test('is what a label says that is older than the timeline we see', () => {
    expect(sizeOf(snapshot(state({ triage: triage('L') }), { labels: ['size/S'] }))).toBe('S');
  });

  test('is what the project board says, before anything else', () => {
    const seen = snapshot(state({ triage: triage('L') }), { labels: ['size/S'], projectSize: 'XS' });
    expect(sizeOf(seen)).toBe('XS');
  });
});
