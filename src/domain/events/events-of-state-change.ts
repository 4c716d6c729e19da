import { type EventFrame, PHASE_ENDS, type PhaseEnd, type RunEvent } from './run-event.js';
import type { IssueState, Lease } from '../state/state.js';

/** A state that was replaced by another. */
export interface StateSwap {
  readonly before: IssueState;
  readonly after: IssueState;
  readonly at: EventFrame['at'];
  readonly issue: EventFrame['issue'];
  readonly because: string;
}

/** The events of a state swap, in order. Renewing a lease causes none. */
export function eventsOfStateChange(swap: StateSwap): readonly RunEvent[] {
  return [
    ...runStartedEvents(swap),
    ...requestEvents(swap),
    ...phaseEndedEvents(swap),
    ...fixRequestedEvents(swap),
    ...restEvents(swap),
    ...phaseStartedEvents(swap),
  ];
}

function frame({ after, at, issue, because }: StateSwap): EventFrame {
  return { at, issue, run: after.run?.id ?? null, phase: after.transitions.at(-1)?.phase ?? null, because };
}

function runStartedEvents(swap: StateSwap): RunEvent[] {
  const { before, after } = swap;
  if (after.run === null || before.run?.id === after.run.id) return [];
  return [{ ...frame(swap), kind: 'run-started', by: after.run.by.login }];
}

function requestEvents(swap: StateSwap): RunEvent[] {
  const { pendingRequest } = swap.after;
  const before = swap.before.pendingRequest;
  if (pendingRequest === null || (pendingRequest.kind === before?.kind && pendingRequest.at === before.at)) return [];
  const { by } = pendingRequest;
  if (pendingRequest.kind === 'go-to') return [{ ...frame(swap), kind: 'redirected', by, to: pendingRequest.phase }];
  return [{ ...frame(swap), kind: 'stop-requested', by, how: pendingRequest.kind }];
}

function phaseStartedEvents(swap: StateSwap): RunEvent[] {
  const { before, after } = swap;
  const { lease, counters } = after;
  if (lease === null || lease.phaseRun === before.lease?.phaseRun) return [];
  const { phase, phaseRun, owner } = lease;
  return [{ ...frame(swap), phase, kind: 'phase-started', phaseRun, owner, attempt: counters.failures + 1 }];
}

function phaseEndedEvents(swap: StateSwap): RunEvent[] {
  const { before, after } = swap;
  const held = before.lease;
  if (held === null || held.phaseRun === after.lease?.phaseRun) return [];
  const end = endOf(swap, held);
  // Only the run that concluded the phase knows its figures.
  const concluded = end === 'lost' ? undefined : after.transitions.at(-1);
  return [
    {
      ...frame(swap),
      // A new run may have taken over. The ended phase belongs to the run before it.
      run: before.run?.id ?? null,
      phase: held.phase,
      kind: 'phase-ended',
      phaseRun: held.phaseRun,
      end,
      ms: concluded?.ms ?? null,
      costUsd: concluded?.costUsd ?? null,
      attempt: concluded?.attempt ?? null,
      record: concluded?.record ?? null,
    },
  ];
}

/** How the phase ended, if the owner of the lease wrote it down; otherwise the lease was lost. */
function endOf({ before, after }: StateSwap, held: Lease): PhaseEnd {
  const last = after.transitions.at(-1);
  const concluded = after.lease === null && after.epoch === before.epoch && last?.phase === held.phase;
  return PHASE_ENDS.find((end) => concluded && end === last.kind) ?? 'lost';
}

function fixRequestedEvents(swap: StateSwap): RunEvent[] {
  const { fix } = swap.after.progress;
  if (fix === null || JSON.stringify(fix) === JSON.stringify(swap.before.progress.fix)) return [];
  return [{ ...frame(swap), kind: 'fix-requested', source: fix.source, items: fix.items.length }];
}

function restEvents(swap: StateSwap): RunEvent[] {
  const { before, after } = swap;
  const { halt, progress } = after;
  const { done } = progress;
  if (done !== null && done.oid !== before.progress.done?.oid)
    return [{ ...frame(swap), kind: 'done', oid: done.oid, spentUsd: after.spentUsd }];
  if (halt !== null && (halt.code !== before.halt?.code || halt.state !== before.halt.state)) {
    const { state, code, because } = halt;
    return [{ ...frame(swap), because, kind: 'halted', state, code }];
  }
  const goesOn = halt === null && before.halt !== null && after.run?.id === before.run?.id;
  return goesOn ? [{ ...frame(swap), kind: 'resumed' }] : [];
}
