import { expect } from '@jest/globals';
import { stateOf } from '../../../src/domain/state/evidence.js';
import type { IssueRef } from '../../../src/domain/issue/ids.js';
import { LEASE_MS } from '../../../src/domain/state/lease-owner.js';
import { observe } from '../../../src/usecases/issue/observe.js';
import { swapState } from '../../../src/usecases/issue/swap-state.js';
import type { EngineHarness } from './engine-harness.js';

/** Another instance takes the issue over and then does nothing. */
export async function takeOver({ instance: { engine } }: EngineHarness, ref: IssueRef): Promise<void> {
  const seen = await observe(engine, ref);
  if (seen === null) throw new Error('there is no issue');
  const state = stateOf(seen);
  const until = seen.readAt + LEASE_MS;
  const lease = { owner: 'another', phase: 'code', phaseRun: 'theirs', until, store: null } as const;
  const next = { ...state, epoch: state.epoch + 1, lease };
  const swapped = await swapState(engine, seen, { next, phase: 'code', because: 'taken over' });
  expect(swapped.kind).toBe('swapped');
}
