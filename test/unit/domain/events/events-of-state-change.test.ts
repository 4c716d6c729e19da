import { describe, expect, test } from '@jest/globals';
import { eventsOfStateChange } from '../../../../src/domain/events/events-of-state-change.js';
import { NO_FIGURES } from '../../../../src/domain/agent/outcome.js';
import { runSummary } from '../../../../src/domain/agent/run-summary.js';
import type { TransitionKind } from '../../../../src/domain/state/transition-kind.js';
import { EMPTY_STATE, type IssueState, type Lease } from '../../../../src/domain/state/state.js';
import { withTransition } from '../../../../src/domain/state/state-changes.js';
import { NOW, OID, RUN, state } from '../../../support/domain/snapshot-fixture.js';

const ISSUE = { owner: 'ada', repo: 'garden', number: 7 };
const LEASE: Lease = { owner: 'one', phase: 'code', phaseRun: 'p1', until: NOW, store: null };

const counted = (more: Partial<IssueState['counters']>) => ({ counters: { ...EMPTY_STATE.counters, ...more } });
const working = (more: Partial<IssueState> = {}): IssueState =>
  state({}, { epoch: 2, lease: LEASE, ...counted({ agentRuns: 1 }), ...more });
const ended = (kind: TransitionKind, more: Partial<IssueState> = {}): IssueState =>
  withTransition(working({ lease: null, ...more }), {
    at: NOW,
    phase: 'code',
    because: 'b',
    kind,
    ms: 1000,
    costUsd: 0.5,
    attempt: 1,
  });
const HALT = { state: 'needs-human', code: 'questions-open', because: 'which colour?' } as const;
const STOP = { kind: 'stop', by: 'wren', at: NOW, because: 'wren asked to stop' } as const;
const GO_TO = { kind: 'go-to', by: 'wren', at: NOW, phase: 'spec', eventId: 'e1' } as const;
const FIX = { source: 'review', head: OID.head, items: ['x', 'y'] } as const;

const told = (before: IssueState, after: IssueState) =>
  eventsOfStateChange({ before, after, at: NOW, issue: ISSUE, because: 'b' });
const brief = (before: IssueState, after: IssueState): string[] =>
  told(before, after).map((event) => (event.kind === 'phase-ended' ? `phase-ended ${event.end}` : event.kind));

describe('what a swap of states means', () => {
  test.each<[string, IssueState, IssueState, string[]]>([
    ['a first run', EMPTY_STATE, state(), ['run-started']],
    [
      'another run after a halt',
      state({}, { halt: HALT }),
      state({}, { run: { ...RUN, id: 'run-2' } }),
      ['run-started'],
    ],
    ['nothing', state(), state(), []],
    ['a lease taken', state(), working(), ['phase-started']],
    ['a lease renewed', working(), working({ lease: { ...LEASE, until: NOW + 1 } }), []],
    ['a phase that is done', working(), ended('done'), ['phase-ended done']],
    ['a phase that failed', working(), ended('failed'), ['phase-ended failed']],
    ['a phase that used its turns', working(), ended('partial'), ['phase-ended partial']],
    ['a phase that never ran', working(), ended('never-ran'), ['phase-ended never-ran']],
    ['a phase that was stopped', working(), ended('stopped'), ['phase-ended stopped']],
    ['a phase with questions', working(), ended('needs-human', { halt: HALT }), ['phase-ended needs-human', 'halted']],
    ['a lease that was taken away', working(), working({ lease: null, epoch: 3 }), ['phase-ended lost']],
    [
      'a phase run taken over by another',
      working(),
      working({ epoch: 3, lease: { ...LEASE, owner: 'two', phaseRun: 'p2' } }),
      ['phase-ended lost', 'phase-started'],
    ],
    [
      'a run started over a running one',
      working(),
      state({}, { epoch: 3, run: { ...RUN, id: 'run-2' } }),
      ['run-started', 'phase-ended lost'],
    ],
    [
      'a review that found something',
      working(),
      { ...ended('done'), progress: state({ fix: FIX }).progress },
      ['phase-ended done', 'fix-requested'],
    ],
    ['a fix that is still asked for', state({ fix: FIX }), state({ fix: { ...FIX } }), []],
    ['a wish to stop', working(), working({ pendingRequest: STOP }), ['stop-requested']],
    ['a wish to go elsewhere', working({ pendingRequest: STOP }), working({ pendingRequest: GO_TO }), ['redirected']],
    ['a wish that stays', working({ pendingRequest: STOP }), working({ pendingRequest: STOP, epoch: 3 }), []],
    ['a wish that was heeded', working({ pendingRequest: STOP }), ended('stopped'), ['phase-ended stopped']],
    ['a halt', state(), state({}, { halt: HALT }), ['halted']],
    ['a halt that stays', state({}, { halt: HALT }), state({}, { halt: HALT, spentUsd: 1 }), []],
    [
      'a halt for another reason',
      state({}, { halt: HALT }),
      state({}, { halt: { ...HALT, code: 'verify-failed' } }),
      ['halted'],
    ],
    ['going on after a halt', state({}, { halt: HALT }), state(), ['resumed']],
    ['the end', state(), state({ done: { oid: OID.merge, at: NOW } }), ['done']],
    ['after the end', state({ done: { oid: OID.merge, at: NOW } }), state({ done: { oid: OID.merge, at: NOW } }), []],
  ])('%s', (_, before, after, kinds) => {
    expect(brief(before, after)).toEqual(kinds);
  });

  test('a phase that ended carries its figures, and those of its agent', () => {
    const record = runSummary([{ kind: 'turn-capped', figures: { ...NO_FIGURES, turns: 4 }, handoff: null }]);
    if (record === null) throw new Error('there was one');
    const after = ended('failed');
    const last = after.transitions.at(-1);
    if (last === undefined) throw new Error('it has one');
    const [event] = told(working(), { ...after, transitions: [{ ...last, record }] });
    expect(event).toEqual({
      at: NOW,
      issue: ISSUE,
      run: 'run-1',
      phase: 'code',
      because: 'b',
      kind: 'phase-ended',
      phaseRun: 'p1',
      end: 'failed',
      ms: 1000,
      costUsd: 0.5,
      attempt: 1,
      record,
    });
  });

  test('who took over does not speak for who was taken over from', () => {
    const taken = withTransition(working({ epoch: 3, lease: { ...LEASE, phaseRun: 'p2' } }), {
      at: NOW,
      phase: 'code',
      because: 'b',
      ms: 5,
    });
    expect(told(working(), taken)).toMatchObject([
      { kind: 'phase-ended', phaseRun: 'p1', end: 'lost', ms: null, costUsd: null },
      { kind: 'phase-started', phaseRun: 'p2', attempt: 1 },
    ]);
  });
});
