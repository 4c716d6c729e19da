import { statusesExcept } from '../../domain/issue/run-status.js';
import type { Action } from '../../domain/action/action.js';
import {
  currentPull,
  isDone,
  landedCommit,
  currentPhase,
  routeFor,
  sizeOf,
  stateOf,
} from '../../domain/state/evidence.js';
import type { Counters } from '../../domain/state/counters.js';
import type { Verdict } from '../../domain/criteria/criterion.js';
import { type HaltCode, HALT_CODES } from '../../domain/issue/halt-codes.js';
import type { IssueRef, Oid } from '../../domain/issue/ids.js';
import type { RunOptions } from '../../domain/issue/options.js';
import type { AgentPhase, Phase } from '../../domain/issue/phase.js';
import { formatRoute } from '../../domain/issue/route.js';
import type { Size } from '../../domain/issue/size.js';
import type { IssueSnapshot, PullState } from '../../domain/state/snapshot.js';
import type { Halt, Lease, Transition } from '../../domain/state/state.js';
import { formatInstant } from '../../domain/issue/instant.js';
import { decideNext } from '../reconcile/reconcile.js';
import type { Observer } from '../engine.js';

/** The statuses an issue can have in a report. */
export const REPORT_STATUSES = statusesExcept('stopping', 'partly-done');
type ReportStatus = (typeof REPORT_STATUSES)[number];

/** Everything about a run. Times are ISO 8601 strings. */
export interface RunReport {
  readonly issue: IssueRef;
  readonly title: string;
  readonly open: boolean;
  readonly status: ReportStatus;
  readonly run: {
    readonly id: string;
    readonly startedAt: string;
    readonly by: string;
    readonly options: RunOptions;
  } | null;
  /** In progress or next. */
  readonly phase: Phase;
  readonly size: Size | null;
  readonly route: string;
  readonly pull: { readonly number: number; readonly state: PullState; readonly head: Oid } | null;
  /** The commit on base that holds the work. */
  readonly landed: Oid | null;
  readonly criteria: readonly { readonly id: string; readonly text: string; readonly verdict: Verdict | null }[];
  readonly counters: Counters;
  readonly spentUsd: number;
  /** Who works on it now. */
  readonly lease: {
    readonly owner: string;
    readonly phase: AgentPhase;
    readonly phaseRun: string;
    readonly until: string;
  } | null;
  /** Why it stopped, and how to continue. */
  readonly halt: {
    readonly state: Halt['state'];
    readonly code: HaltCode;
    readonly because: string;
    readonly message: string;
    readonly remedy: string;
  } | null;
  /** What Sluice would do now. */
  readonly next: {
    readonly action: Action['kind'];
    /** Detail of the action: what it waits on, the phase, the write, or the error. */
    readonly what: string;
    readonly until: string | null;
    readonly because: string;
  };
  readonly transitions: readonly (Omit<Transition, 'at'> & { readonly at: string })[];
}

/** The report of a snapshot. */
export async function runReport(engine: Pick<Observer, 'policyFor'>, snapshot: IssueSnapshot): Promise<RunReport> {
  const { ref, title } = snapshot;
  const { run, lease, halt, counters, spentUsd, transitions } = stateOf(snapshot);
  const action = await decideNext(engine, snapshot);
  const pull = currentPull(snapshot);
  return {
    issue: ref,
    title,
    open: snapshot.state === 'open',
    status: statusOf(snapshot, action),
    run:
      run === null
        ? null
        : { id: run.id, startedAt: formatInstant(run.startedAt), by: run.by.login, options: run.options },
    phase: currentPhase(snapshot),
    size: sizeOf(snapshot),
    route: formatRoute(routeFor(snapshot)),
    pull: pull === null ? null : { number: pull.number, state: pull.state, head: pull.head },
    landed: landedCommit(snapshot)?.oid ?? null,
    criteria: criteriaOf(snapshot),
    counters,
    // Removes the rounding errors of summed fractions of a cent.
    spentUsd: Math.round(spentUsd * 10_000) / 10_000,
    lease: lease === null || !isHeld(action) ? null : leaseView(lease),
    halt:
      halt === null ? null : { ...halt, message: HALT_CODES[halt.code].message, remedy: HALT_CODES[halt.code].remedy },
    next: nextOf(action),
    transitions: transitions.map((transition) => ({ ...transition, at: formatInstant(transition.at) })),
  };
}

function statusOf(snapshot: IssueSnapshot, action: Action): ReportStatus {
  if (snapshot.reading.kind === 'unverifiable') return 'untrusted';
  const { run, halt } = stateOf(snapshot);
  if (run === null) return 'not-driven';
  if (isDone(snapshot)) return 'done';
  if (halt !== null) return halt.state;
  return action.kind === 'wait' && action.on !== 'lease' ? 'waiting' : 'running';
}

/** Whether somebody holds the lease, as far as is known. */
const isHeld = (action: Action): boolean => action.kind === 'wait' && action.on === 'lease';

const leaseView = ({ owner, phase, phaseRun, until }: Lease): RunReport['lease'] => ({
  owner,
  phase,
  phaseRun,
  until: formatInstant(until),
});

function criteriaOf(snapshot: IssueSnapshot): RunReport['criteria'] {
  const { triage, verify } = stateOf(snapshot).progress;
  return (triage?.criteria ?? []).map(({ id, text }) => ({
    id,
    text,
    verdict: verify?.results.find((result) => result.id === id)?.verdict ?? null,
  }));
}

function nextOf(action: Action): RunReport['next'] {
  const until = action.kind === 'wait' && action.until !== undefined ? formatInstant(action.until) : null;
  return { action: action.kind, what: whatOf(action), until, because: action.because };
}

function whatOf(action: Action): string {
  switch (action.kind) {
    case 'wait':
      return action.on;
    case 'run':
      return action.phase;
    case 'effect':
      return action.effect.kind;
    case 'halt':
      return action.code;
  }
}
