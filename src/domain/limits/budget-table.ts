import type { AgentPhase } from '../issue/phase.js';
import type { Size } from '../issue/size.js';

/** What one agent run may use. */
export interface PhaseLimits {
  readonly budgetUsd: number;
  readonly maxTurns: number;
  /** The hard time limit, even for a busy agent. */
  readonly capMs: number;
}

/** What one run of an issue may use, from `/auto` to its end. */
export interface IssueLimits {
  readonly budgetUsd: number;
  /** Time in which an agent works; waiting does not count. */
  readonly activeMs: number;
}

const MINUTE = 60_000;

const row = (budgetUsd: number, maxTurns: number, minutes: number): PhaseLimits => ({
  budgetUsd,
  maxTurns,
  capMs: minutes * MINUTE,
});

const issue = (budgetUsd: number, minutes: number): IssueLimits => ({ budgetUsd, activeMs: minutes * MINUTE });

/**
 * USD, turns and minutes of one agent run. Times come from what such phases took elsewhere (median, longest in minutes: triage
 * 8, 15; spec 17, 30; code 21, 75 as a patch and 27, 148 as a pull request; review 19, 109; verify 2, 5): a cap should end runs
 * that are stuck, not slow ones. The budget is about three times the cost of a median run at the list price of a heavy model.
 */
export const PHASE_LIMITS: Readonly<Record<AgentPhase, Readonly<Record<Size, PhaseLimits>>>> = {
  issue: { XS: row(2, 40, 20), S: row(2, 40, 20), M: row(3, 60, 20), L: row(4, 60, 30), XL: row(5, 80, 40) },
  spec: { XS: row(3, 60, 30), S: row(4, 60, 35), M: row(5, 80, 45), L: row(10, 120, 60), XL: row(10, 120, 60) },
  code: { XS: row(4, 80, 75), S: row(6, 120, 90), M: row(12, 200, 150), L: row(24, 300, 180), XL: row(24, 300, 180) },
  review: { XS: row(2, 40, 30), S: row(3, 60, 45), M: row(6, 100, 75), L: row(12, 150, 120), XL: row(12, 150, 120) },
  verify: { XS: row(1, 30, 15), S: row(1, 30, 15), M: row(2, 40, 20), L: row(3, 60, 30), XL: row(3, 60, 30) },
};

/** USD and active minutes of a whole run: every phase once at its limit, and some loops. */
export const ISSUE_LIMITS: Readonly<Record<Size, IssueLimits>> = {
  XS: issue(12, 180),
  S: issue(20, 240),
  M: issue(40, 360),
  L: issue(80, 600),
  XL: issue(80, 600),
};

/** The size assumed for issues without one. It has the same route. */
export const UNSIZED: Size = 'M';

/** USD from one midnight UTC to the next. */
export const DAY_LIMITS = { repoDayUsd: 100, serviceDayUsd: 300 };
