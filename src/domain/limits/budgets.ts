import { DAY_LIMITS, ISSUE_LIMITS, PHASE_LIMITS, type PhaseLimits, UNSIZED } from './budget-table.js';
import type { RunOptions } from '../issue/options.js';
import type { AgentPhase } from '../issue/phase.js';
import { DEFAULT_LIMITS } from './policy.js';
import type { Size } from '../issue/size.js';

/** The budgets an operator can set. */
export interface BudgetConfig {
  /** The budget of every run; `null`: depends on the size. */
  readonly issueUsd: number | null;
  readonly repoDayUsd: number;
  readonly serviceDayUsd: number;
}

export const DEFAULT_BUDGETS: BudgetConfig = { issueUsd: null, ...DAY_LIMITS };

/** What a run has used so far. */
export interface RunUsage {
  readonly spentUsd: number;
  /** Time in which an agent worked. */
  readonly activeMs: number;
  readonly agentRuns: number;
}

/** Whose limits are meant. */
export interface BudgetScope {
  /** `null` while it is not known. */
  readonly size: Size | null;
  readonly options: RunOptions;
  readonly config: BudgetConfig;
}

/** A bound that is used up, and what a person can say to raise it. */
export interface ExceededBound {
  readonly bound: 'budget' | 'time' | 'iterations';
  /** With the numbers. */
  readonly because: string;
  readonly command: string;
}

/** With less than this, a run would end before it did anything useful. */
export const LEAST_USD = 0.1;
const LEAST_MS = 30_000;
const MINUTE = 60_000;

/** What a whole run may cost. */
export function issueBudget({ size, options, config }: BudgetScope): number {
  return options.budgetUsd ?? config.issueUsd ?? ISSUE_LIMITS[size ?? UNSIZED].budgetUsd;
}

/** How long the agents of a run may work, all together. */
export function activeTimeMs({ size, options }: Pick<BudgetScope, 'size' | 'options'>): number {
  return options.timeoutMin === undefined ? ISSUE_LIMITS[size ?? UNSIZED].activeMs : options.timeoutMin * MINUTE;
}

/** How many agent runs there may be, all phases together. */
export function maxIterations(options: RunOptions): number {
  return options.maxIterations ?? DEFAULT_LIMITS.maxAgentRuns;
}

/** What the next agent run may use: never more than is left of the run. */
export function limitsFor(
  phase: AgentPhase,
  scope: BudgetScope,
  used: Pick<RunUsage, 'spentUsd' | 'activeMs'>,
): PhaseLimits {
  const { budgetUsd, maxTurns, capMs } = PHASE_LIMITS[phase][scope.size ?? UNSIZED];
  const usual = ISSUE_LIMITS[scope.size ?? UNSIZED];
  // A larger budget also raises turns and time; otherwise the run would end at the next bound.
  const more = Math.max(1, issueBudget(scope) / usual.budgetUsd);
  const longer = Math.max(more, activeTimeMs(scope) / usual.activeMs);
  return {
    budgetUsd: atLeastNothing(Math.min(budgetUsd * more, issueBudget(scope) - used.spentUsd)),
    maxTurns: Math.ceil(maxTurns * longer),
    capMs: atLeastNothing(Math.min(capMs * longer, activeTimeMs(scope) - used.activeMs)),
  };
}

/** The bound that keeps the next agent run from starting. */
export function exceededBound(scope: BudgetScope, used: RunUsage): ExceededBound | null {
  const budget = issueBudget(scope);
  if (budget - used.spentUsd < LEAST_USD) {
    const because = `spent ${formatUsd(used.spentUsd)} of ${formatUsd(budget)}`;
    return { bound: 'budget', because, command: raiseCommand('budget', scope) };
  }
  const time = activeTimeMs(scope);
  if (time - used.activeMs < LEAST_MS) {
    const because = `agents worked ${minutes(used.activeMs)} of ${minutes(time)} minutes`;
    return { bound: 'time', because, command: raiseCommand('time', scope) };
  }
  const runs = maxIterations(scope.options);
  if (used.agentRuns < runs) return null;
  return {
    bound: 'iterations',
    because: `${used.agentRuns} of ${runs} agent runs`,
    command: raiseCommand('iterations', scope),
  };
}

/** The command that doubles a bound. */
export function raiseCommand(bound: ExceededBound['bound'], scope: BudgetScope): string {
  switch (bound) {
    case 'budget':
      return `/auto --resume --budget ${Math.ceil(2 * issueBudget(scope))}`;
    case 'time':
      return `/auto --resume --timeout ${minutes(2 * activeTimeMs(scope))}`;
    case 'iterations':
      return `/auto --resume --max-iterations ${2 * maxIterations(scope.options)}`;
  }
}

/** Money as people read it. */
export const formatUsd = (usd: number): string => `$${usd.toFixed(2)}`;

const minutes = (ms: number): number => Math.ceil(ms / MINUTE);

const atLeastNothing = (number: number): number => Math.max(0, number);
