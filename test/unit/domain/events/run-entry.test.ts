import { describe, expect, test } from '@jest/globals';
import { entryAfter, isAtRest, type RunEntry, type EntryStatus } from '../../../../src/domain/events/run-entry.js';
import type { RunEvent } from '../../../../src/domain/events/run-event.js';
import { minute, OID } from '../../../support/domain/snapshot-fixture.js';

const ISSUE = { owner: 'ada', repo: 'garden', number: 7 };
const FRAME = { at: minute(2), issue: ISSUE, run: 'run-1', phase: 'code', because: 'b' } as const;

const standingAfter = (status: EntryStatus, event: RunEvent): EntryStatus =>
  entryAfter({ issue: ISSUE, run: 'run-1', status, phase: 'spec', because: 'a', at: minute(1) }, event).status;

describe('where a run stands', () => {
  test.each<[EntryStatus, RunEvent, EntryStatus]>([
    ['failed', { ...FRAME, kind: 'run-started', by: 'wren' }, 'running'],
    ['waiting', { ...FRAME, kind: 'phase-queued', attempt: 1 }, 'running'],
    ['waiting', { ...FRAME, kind: 'phase-started', phaseRun: 'p', attempt: 1, owner: 'one' }, 'running'],
    ['running', { ...FRAME, kind: 'waiting', on: 'checks', until: null }, 'waiting'],
    ['waiting', { ...FRAME, kind: 'effect', effect: 'merge' }, 'running'],
    ['running', { ...FRAME, kind: 'stop-requested', by: 'wren', how: 'stop' }, 'stopping'],
    ['stopping', { ...FRAME, kind: 'effect', effect: 'project' }, 'stopping'],
    ['stopping', { ...FRAME, kind: 'halted', state: 'paused', code: 'pr-closed' }, 'paused'],
    ['paused', { ...FRAME, kind: 'effect', effect: 'project' }, 'paused'],
    ['paused', { ...FRAME, kind: 'resumed' }, 'running'],
    ['running', { ...FRAME, kind: 'done', oid: OID.merge, spentUsd: 1 }, 'done'],
  ])('%s, then %j: %s', (before, event, after) => {
    expect(standingAfter(before, event)).toBe(after);
  });

  test('an unknown run is running, in the phase the event names', () => {
    const event: RunEvent = { ...FRAME, kind: 'effect', effect: 'project' };
    expect(entryAfter(null, event)).toEqual({ ...FRAME, status: 'running' });
    expect(entryAfter(null, { ...event, phase: null })).toMatchObject({ phase: null });
  });

  test.each<[EntryStatus, boolean]>([
    ['running', false],
    ['waiting', false],
    ['stopping', false],
    ['paused', true],
    ['needs-human', true],
    ['failed', true],
    ['done', true],
  ])('%s is at rest: %s', (status, rest) => {
    const entry: RunEntry = { issue: ISSUE, run: null, status, phase: null, because: '', at: 0 };
    expect(isAtRest(entry)).toBe(rest);
  });
});
