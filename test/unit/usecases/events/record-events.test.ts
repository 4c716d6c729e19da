import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Action } from '../../../../src/domain/action/action.js';
import { EMPTY_STATE, type IssueState } from '../../../../src/domain/state/state.js';
import { ManualClock } from '#pocket-github/clock';
import { FIRST } from '../../../../src/ports/event-log.js';
import type { StateStore, SwapResult } from '../../../../src/ports/state-store.js';
import { recordActivity, recordDecision, recordEvents } from '../../../../src/usecases/events/record-events.js';
import { MemoryEventLog } from '../../../support/memory/memory-event-log.js';
import { OID, RUN, snapshot, state } from '../../../support/domain/snapshot-fixture.js';

const ref = { owner: 'ada', repo: 'garden', number: 7 };
const subject = { ref, repositoryDatabaseId: 1 };
const clock = new ManualClock();

/** A store whose answers are given beforehand. */
function scripted(reading: StateStore['read'], result: SwapResult): StateStore {
  return { read: reading, swap: async () => result, history: async () => [] };
}

const raw = (oid: string) => ({ oid, parents: [], text: null });
const valid =
  (held: IssueState): StateStore['read'] =>
  async (_, given) => ({
    kind: 'valid',
    state: held,
    oid: given?.oid ?? '',
  });

describe('a store that records events', () => {
  const at = { events: new MemoryEventLog({ clock }) };
  beforeEach(() => void (at.events = new MemoryEventLog({ clock })));
  const kinds = async (): Promise<string[]> =>
    (await at.events.since(FIRST, 100)).map((one) => (one.kind === 'event' ? one.event.kind : one.kind));
  const telling = (reading: StateStore['read'], result: SwapResult = { kind: 'swapped', oid: OID.head }) =>
    recordEvents(scripted(reading, result), { events: at.events, clock });

  test('compares with what was read before, and then with what it wrote itself', async () => {
    const states = telling(valid(EMPTY_STATE));
    await states.read(subject, raw(OID.base));
    await states.swap({ subject, expected: OID.base, next: state(), because: 'asked' });
    const lease = { owner: 'one', phase: 'issue', phaseRun: 'p', until: 0, store: null } as const;
    await states.swap({ subject, expected: OID.head, next: state({}, { lease }), because: 'go' });
    await states.swap({ subject, expected: OID.head, next: state({}, { lease }), because: 'still at it' });
    expect(await kinds()).toEqual(['run-started', 'phase-started']);
  });

  test('the first state of an issue, and one that replaces a state nobody trusts, begin afresh', async () => {
    const states = telling(async () => ({ kind: 'unverifiable', oid: OID.base, why: 'not ours' }));
    await states.swap({ subject, expected: null, next: state(), because: 'asked' });
    await states.read(subject, raw(OID.base));
    await states.swap({ subject, expected: OID.base, next: state({}, { run: { ...RUN, id: 'x' } }), because: 'asked' });
    expect(await kinds()).toEqual(['run-started', 'run-started']);
  });

  test('a swap that was lost, or whose past is not known, is not recorded', async () => {
    const lost = telling(valid(EMPTY_STATE), { kind: 'lost' });
    await lost.swap({ subject, expected: null, next: state(), because: 'asked' });
    await telling(valid(EMPTY_STATE)).swap({ subject, expected: OID.other, next: state(), because: 'asked' });
    expect(await kinds()).toEqual([]);
  });

  test.each<[Action, string[]]>([
    [{ kind: 'wait', on: 'checks', because: 'b' }, ['waiting']],
    [{ kind: 'wait', on: 'hold', until: 5, because: 'b' }, ['waiting']],
    [{ kind: 'wait', on: 'lease', because: 'b' }, []],
    [{ kind: 'wait', on: 'rest', because: 'b' }, []],
    [{ kind: 'run', phase: 'issue', attempt: 2, because: 'b' }, ['phase-queued']],
    [{ kind: 'effect', effect: { kind: 'open-pr', head: OID.head }, because: 'b' }, ['effect']],
    [{ kind: 'effect', effect: { kind: 'finish' }, because: 'b' }, []],
    [{ kind: 'halt', state: 'failed', code: 'pr-closed', because: 'b' }, []],
  ])('of the decision %j: %j', async (action, told) => {
    recordDecision({ events: at.events, clock }, snapshot(state()), action);
    recordDecision({ events: at.events, clock }, snapshot(null), action);
    expect(await kinds()).toEqual(told);
  });

  test('an agent says what it does under the name of its phase run', async () => {
    const say = recordActivity({ events: at.events }, { issue: ref, phase: 'code', phaseRun: 'p' });
    say({ at: clock.now(), kind: 'tool', text: 'Bash' });
    expect(await at.events.live(ref)).toMatchObject({ phaseRun: 'p', recent: [{ kind: 'tool', text: 'Bash' }] });
  });
});
