import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '#pocket-github';
import type { IssueSnapshot, StateReading } from '../../../../src/domain/state/snapshot.js';
import type { SwapResult } from '../../../../src/ports/state-store.js';
import type { Observer } from '../../../../src/usecases/engine.js';
import { updateState } from '../../../../src/usecases/issue/update-state.js';
import { OID, snapshot, state } from '../../../support/domain/snapshot-fixture.js';

const SEEN = snapshot(state({}));
const LOST: SwapResult = { kind: 'lost' };
const SWAPPED: SwapResult = { kind: 'swapped', oid: OID.head };

/** An issue whose state is swapped with these results, one after the other; the last one stays. */
function issueWith(results: readonly SwapResult[], reading: StateReading | 'gone' = SEEN.reading) {
  const calls = { looks: 0, swaps: 0 };
  const { pull: _pull, reading: _reading, ...facts } = SEEN;
  const engine = {
    github: {
      snapshot: async () => {
        calls.looks += 1;
        return reading === 'gone' ? null : { ...facts, rawState: null, pulls: [] };
      },
    },
    states: {
      read: async () => reading,
      swap: async () => {
        calls.swaps += 1;
        return results[Math.min(calls.swaps, results.length) - 1];
      },
    },
    clock: new ManualClock(),
    hints: new Map(),
  } as unknown as Observer;
  return { engine, calls };
}

const change = (seen: IssueSnapshot) => ({
  change: {
    next: { ...state({}), spentUsd: seen.readAt === SEEN.readAt ? 1 : 2 },
    phase: 'code' as const,
    because: 'somebody asked',
  },
});

describe('updating the state of an issue', () => {
  test('begins again from a fresh look when somebody else was faster', async () => {
    const { engine, calls } = issueWith([LOST, LOST, SWAPPED]);
    expect(await updateState(engine, SEEN.ref, change)).toMatchObject({
      kind: 'changed',
      snapshot: { reading: { kind: 'valid', oid: OID.head, state: { spentUsd: 1 } } },
    });
    expect(calls).toEqual({ looks: 3, swaps: 3 });
  });

  test('saves the first look where somebody has just had one, and no other', async () => {
    const { engine, calls } = issueWith([LOST, SWAPPED]);
    const early = { ...SEEN, readAt: SEEN.readAt - 1 };
    expect(await updateState(engine, SEEN.ref, change, early)).toMatchObject({ kind: 'changed', before: SEEN });
    expect(calls).toEqual({ looks: 1, swaps: 2 });
  });

  test('writes nothing where there is a reason to leave the state as it is', async () => {
    const { engine, calls } = issueWith([SWAPPED]);
    const left = await updateState(engine, SEEN.ref, () => ({ unchanged: 'it rests' }));
    expect(left).toEqual({ kind: 'unchanged', reason: 'it rests' });
    expect(calls.swaps).toBe(0);
  });

  test('says that an issue is gone', async () => {
    expect(await updateState(issueWith([SWAPPED], 'gone').engine, SEEN.ref, change)).toEqual({ kind: 'gone' });
  });

  test('gives up after five lost swaps', async () => {
    const { engine, calls } = issueWith([LOST]);
    await expect(updateState(engine, SEEN.ref, change)).rejects.toThrow('the state of ada/garden#7 keeps changing');
    expect(calls.swaps).toBe(5);
  });
});
