import { routeFor, stateOf } from '../domain/completion.js';
import { nextStep } from '../domain/decide.js';
import type { IssueSnapshot } from '../domain/snapshot.js';
import { type IssueState, NO_COUNTERS } from '../domain/state.js';
import type { Engine } from './engine.js';
import { hear } from './hear.js';
import { observe } from './observe.js';
import type { PhaseResult } from './phase-result.js';

/**
 * Everything is read again before a patch goes to base: it goes only if landing it is still what comes next. Otherwise what the
 * phase comes to instead.
 */
export async function confirmPatch(engine: Engine, started: IssueSnapshot): Promise<PhaseResult | null> {
  const seen = await observe(engine, started.ref);
  const snapshot = seen === null ? null : await hear(engine, seen);
  if (snapshot === null) return { kind: 'stopped', because: 'the issue changed while the work was about to land' };
  const step = nextStep(withoutRun(snapshot), await engine.policyFor(snapshot), snapshot.readAt);
  const isSame =
    step.kind === 'run' &&
    step.phase === 'code' &&
    routeFor(snapshot).kind === 'patch' &&
    snapshot.base.ref === started.base.ref &&
    stateOf(snapshot).run?.authorised.hash === stateOf(started).run?.authorised.hash;
  return isSame ? null : { kind: 'stopped', because: `the work was about to land, but ${step.because}` };
}

/** As if the run under way had not been: its lease is ours, and what it used is no reason against landing what it made. */
function withoutRun(snapshot: IssueSnapshot): IssueSnapshot {
  const { reading } = snapshot;
  if (reading.kind !== 'valid') return snapshot;
  const state: IssueState = { ...reading.state, lease: null, counters: NO_COUNTERS, spentUsd: 0 };
  return { ...snapshot, reading: { ...reading, state } };
}
