import { activeTimeMs, issueBudget, maxIterations } from '../../limits/budgets.js';
import { formatCheckNames } from '../phrases/check-names.js';
import { formatOptions } from '../../commands/option-table.js';
import { currentPull, isDone, landedCommit, currentPhase, routeFor, sizeOf, stateOf } from '../../state/evidence.js';
import type { Verdict } from '../../criteria/criterion.js';
import type { Oid } from '../../issue/ids.js';
import { NO_OPTIONS } from '../../issue/options.js';
import type { Phase } from '../../issue/phase.js';
import type { Policy } from '../../limits/policy.js';
import type { RunStatus } from '../../issue/run-status.js';
import { formatRoute } from '../../issue/route.js';
import type { Size } from '../../issue/size.js';
import type { CheckFacts, IssueSnapshot } from '../../state/snapshot.js';
import type { FixRequest, Halt, IssueState, RunRecord, Transition } from '../../state/state.js';
import type { Instant } from '../../issue/instant.js';
import type { HeldWork } from '../../state/kept-work.js';
import { manualDecisions } from './manual-decisions.js';
import { sizeReason } from '../phrases/size-reason.js';
import { type PhaseRow, phaseRows } from './phase-rows.js';
import type { Activity, WaitView } from './waits.js';

/** One acceptance criterion and its result. */
export interface CriterionView {
  readonly id: string;
  readonly text: string;
  readonly verdict: Verdict | 'open';
  readonly evidence: string;
}

/** The facts that the status comment and the reports show. Made only from a snapshot, the policy and the decision about them. */
export interface StatusView {
  readonly status: Exclude<RunStatus, 'not-driven' | 'stopping' | 'untrusted'>;
  readonly title: string;
  readonly phase: Exclude<Phase, 'ready'>;
  readonly halt: Halt | null;
  readonly waits: WaitView | null;
  /** Checks on a new head and the review right after them are shown as one, because they change too quickly. */
  readonly checksFirst: boolean;
  /** Why the code is being worked on again. */
  readonly fix: FixRequest | null;
  /** The commit checks and review are about. */
  readonly head: Oid | null;
  readonly pull: number | null;
  readonly landed: Oid | null;
  /** Unfinished work that was kept. */
  readonly wip: Oid | null;
  /** Work that waits for approval, or is approved. */
  readonly held: HeldWork | null;
  readonly size: Size | null;
  readonly route: string;
  /** Why the issue has this size, if people influenced it. */
  readonly sizeReason: string | null;
  /** Red checks that block the merge and that no agent works on; empty when there are none. */
  readonly otherRed: string;
  /** Why a small issue goes through a pull request. */
  readonly pullReason: string | null;
  readonly rows: readonly PhaseRow[];
  readonly criteria: readonly CriterionView[];
  readonly used: {
    readonly runs: number;
    readonly maxRuns: number;
    readonly activeMs: number;
    readonly maxActiveMs: number;
    /** Of all runs of this issue together, like `maxUsd`. */
    readonly usd: number;
    readonly maxUsd: number;
  };
  /** The sums of the table of phases; `isResumed` when it includes earlier runs. */
  readonly totals: { readonly runs: number; readonly ms: number; readonly isResumed: boolean };
  readonly verifyIteration: { readonly now: number; readonly most: number };
  readonly run: {
    readonly id: string;
    readonly by: string;
    readonly at: Instant;
    /** Hash of the text they authorised. */
    readonly text: string;
    /** As they are written in a command. */
    readonly options: string;
    readonly waiver: { readonly phase: Phase; readonly by: string } | null;
  } | null;
  /** What people decided. */
  readonly manualDecisions: readonly string[];
  /** Somebody without permission edited the issue. */
  readonly ignoredEdit: boolean;
  readonly transitions: readonly Transition[];
}

/** Facts from the decision, not the snapshot. Passed in, because the decision itself compares this text with GitHub. */
export interface StatusFacts {
  readonly activity: Activity;
  /** Red checks that block the merge and that no agent works on. */
  readonly otherRed: readonly CheckFacts[];
}

export function statusView(snapshot: IssueSnapshot, policy: Policy, { activity, otherRed }: StatusFacts): StatusView {
  const state = stateOf(snapshot);
  const { progress, counters, halt, run } = state;
  const size = sizeOf(snapshot);
  const scope = { size, options: run?.options ?? NO_OPTIONS, config: policy.budgets };
  const waits = activity.kind === 'waits' ? activity.wait : null;
  const pull = currentPull(snapshot);
  return {
    status: statusOf(snapshot, halt, waits !== null),
    title: run?.authorised.title ?? snapshot.title,
    phase: currentPhase(snapshot),
    halt,
    waits,
    checksFirst: activity.kind === 'checks-and-review',
    fix: progress.fix,
    // Right after a push the pull request may still show the old head.
    head: progress.pushed?.head ?? pull?.head ?? null,
    pull: pull?.number ?? null,
    landed: landedCommit(snapshot)?.oid ?? null,
    wip: progress.wip,
    held: progress.held,
    size,
    route: formatRoute(routeFor(snapshot)),
    sizeReason: sizeReason(snapshot),
    otherRed: formatCheckNames(otherRed),
    pullReason: progress.pullReason,
    rows: phaseRows(snapshot),
    criteria: criteriaView(snapshot),
    used: {
      runs: counters.agentRuns,
      maxRuns: maxIterations(scope.options),
      activeMs: counters.activeMs,
      maxActiveMs: activeTimeMs(scope),
      usd: state.spentUsd,
      maxUsd: issueBudget(scope),
    },
    totals: totalsOf(state),
    verifyIteration: { now: counters.verifyIterations, most: policy.maxVerifyIterations },
    run: run === null ? null : runView(run),
    manualDecisions: manualDecisions(snapshot),
    ignoredEdit: state.ignoredEdit !== null,
    transitions: state.transitions,
  };
}

const runView = ({ id, by, startedAt, authorised, options, waiver }: RunRecord): StatusView['run'] => ({
  id,
  by: by.login,
  at: startedAt,
  text: authorised.hash,
  options: formatOptions(options).join(' '),
  waiver,
});

function statusOf(snapshot: IssueSnapshot, halt: Halt | null, waits: boolean): StatusView['status'] {
  if (isDone(snapshot)) return 'done';
  if (halt?.code === 'criteria-manual') return 'partly-done';
  if (halt !== null) return halt.state;
  return waits ? 'waiting' : 'running';
}

/** Counters start again when a run is resumed; the cost and the table of phases do not. */
function totalsOf({ run, transitions }: IssueState): StatusView['totals'] {
  const ended = transitions.filter(({ ms }) => ms !== undefined);
  return {
    runs: ended.length,
    ms: ended.reduce((sum, { ms }) => sum + (ms ?? 0), 0),
    isResumed: ended.some(({ at }) => run !== null && at < run.startedAt),
  };
}

function criteriaView(snapshot: IssueSnapshot): readonly CriterionView[] {
  const { triage, verify } = stateOf(snapshot).progress;
  const results = new Map((verify?.results ?? []).map((result) => [result.id, result]));
  return (triage?.criteria ?? []).map(({ id, text }) => {
    const result = results.get(id);
    return { id, text, verdict: result?.verdict ?? 'open', evidence: result?.evidence ?? '' };
  });
}
