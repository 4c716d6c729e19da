import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  type BudgetScope,
  DEFAULT_BUDGETS,
  exceededBound,
  issueBudget,
  limitsFor,
} from '../../../../src/domain/limits/budgets.js';
import { ISSUE_LIMITS, PHASE_LIMITS } from '../../../../src/domain/limits/budget-table.js';
import { dayHolds, dayOf } from '../../../../src/domain/limits/day-budget.js';
import { AGENT_PHASES } from '../../../../src/domain/issue/phase.js';
import { SIZES } from '../../../../src/domain/issue/size.js';

const MINUTE = 60_000;
const bounded = (more: Partial<BudgetScope> = {}): BudgetScope => ({
  size: 'M',
  options: {},
  config: DEFAULT_BUDGETS,
  ...more,
});
const NOTHING = { spentUsd: 0, activeMs: 0, agentRuns: 0 };

describe('the tables', () => {
  test('let every phase of a run reach its limit once', () => {
    for (const size of SIZES) {
      const sum = (of: 'budgetUsd' | 'capMs'): number =>
        AGENT_PHASES.reduce((total, phase) => total + PHASE_LIMITS[phase][size][of], 0);
      expect(sum('budgetUsd')).toBeLessThanOrEqual(ISSUE_LIMITS[size].budgetUsd);
      expect(sum('capMs')).toBeLessThanOrEqual(ISSUE_LIMITS[size].activeMs);
    }
  });

  test('never give a larger issue less', () => {
    for (const [index, size] of SIZES.slice(1).entries()) {
      const smaller = SIZES[index] ?? 'XS';
      for (const phase of AGENT_PHASES) {
        const [less, more] = [PHASE_LIMITS[phase][smaller], PHASE_LIMITS[phase][size]];
        expect([more.budgetUsd >= less.budgetUsd, more.maxTurns >= less.maxTurns, more.capMs >= less.capMs]).toEqual([
          true,
          true,
          true,
        ]);
      }
    }
  });
});

describe('an agent run may use', () => {
  test('what stands in the table', () => {
    expect(limitsFor('code', bounded(), NOTHING)).toEqual(PHASE_LIMITS.code.M);
    expect(limitsFor('code', bounded({ size: null }), NOTHING)).toEqual(PHASE_LIMITS.code.M);
  });

  test('no more than is left', () => {
    const used = { spentUsd: 37.5, activeMs: 350 * MINUTE };
    expect(limitsFor('code', bounded(), used)).toEqual({ ...PHASE_LIMITS.code.M, budgetUsd: 2.5, capMs: 10 * MINUTE });
    expect(limitsFor('code', bounded(), { spentUsd: 99, activeMs: 999 * MINUTE })).toMatchObject({
      budgetUsd: 0,
      capMs: 0,
    });
  });

  test('more turns and time as well where somebody pays for more', () => {
    const { budgetUsd, maxTurns, capMs } = PHASE_LIMITS.code.M;
    expect(limitsFor('code', bounded({ options: { budgetUsd: 80 } }), NOTHING)).toEqual({
      budgetUsd: 2 * budgetUsd,
      maxTurns: 2 * maxTurns,
      capMs: 2 * capMs,
    });
    expect(limitsFor('code', bounded({ options: { timeoutMin: 720 } }), NOTHING)).toEqual({
      budgetUsd,
      maxTurns: 2 * maxTurns,
      capMs: 2 * capMs,
    });
  });

  test('whatever is asked for, nothing beyond the run’s own bounds', () => {
    const options = fc.record(
      { budgetUsd: fc.double({ min: 0.01, max: 1e6, noNaN: true }), timeoutMin: fc.integer({ min: 1, max: 1e6 }) },
      { requiredKeys: [] },
    );
    const used = fc.record({ spentUsd: fc.double({ min: 0, max: 1e6, noNaN: true }), activeMs: fc.nat() });
    const issueUsd = fc.option(fc.double({ min: 0.01, max: 1e4, noNaN: true }));
    fc.assert(
      fc.property(
        fc.constantFrom(...AGENT_PHASES),
        fc.option(fc.constantFrom(...SIZES)),
        options,
        issueUsd,
        used,
        (phase, size, asked, usd, use) => {
          const all = bounded({ size, options: asked, config: { ...DEFAULT_BUDGETS, issueUsd: usd } });
          const limits = limitsFor(phase, all, use);
          expect(limits.budgetUsd).toBeGreaterThanOrEqual(0);
          expect(limits.budgetUsd).toBeLessThanOrEqual(Math.max(0, issueBudget(all) - use.spentUsd));
          expect(limits.capMs).toBeGreaterThanOrEqual(0);
          expect(Number.isInteger(limits.maxTurns) && limits.maxTurns > 0).toBe(true);
          // Where there is nothing left, it is said which bound it was.
          if (limits.budgetUsd === 0 || limits.capMs === 0)
            expect(exceededBound(all, { ...use, agentRuns: 0 })).not.toBeNull();
        },
      ),
    );
  });
});

describe('a bound that is used up', () => {
  test.each([
    [{ spentUsd: 40.12 }, {}, 'budget', 'spent $40.12 of $40.00', '/auto --resume --budget 80'],
    [{ spentUsd: 39.95 }, {}, 'budget', 'spent $39.95 of $40.00', '/auto --resume --budget 80'],
    [{ spentUsd: 7.5 }, { budgetUsd: 7.5 }, 'budget', 'spent $7.50 of $7.50', '/auto --resume --budget 15'],
    [{ activeMs: 360 * MINUTE }, {}, 'time', 'agents worked 360 of 360 minutes', '/auto --resume --timeout 720'],
    [
      { activeMs: 61 * MINUTE },
      { timeoutMin: 60 },
      'time',
      'agents worked 61 of 60 minutes',
      '/auto --resume --timeout 120',
    ],
    [{ agentRuns: 20 }, {}, 'iterations', '20 of 20 agent runs', '/auto --resume --max-iterations 40'],
    [{ agentRuns: 3 }, { maxIterations: 3 }, 'iterations', '3 of 3 agent runs', '/auto --resume --max-iterations 6'],
  ])('%j with %j names the numbers and the command that raises it', (used, options, bound, because, command) => {
    const found = exceededBound(bounded({ options }), { ...NOTHING, ...used });
    expect(found).toEqual({ bound, because, command });
  });

  test('is none while there is something left of each', () => {
    expect(exceededBound(bounded(), { spentUsd: 39.9, activeMs: 359 * MINUTE, agentRuns: 19 })).toBeNull();
  });

  test('of the operator is used where nobody asked for another', () => {
    const config = { ...DEFAULT_BUDGETS, issueUsd: 5 };
    expect(issueBudget(bounded({ config }))).toBe(5);
    expect(issueBudget(bounded({ config, options: { budgetUsd: 9 } }))).toBe(9);
  });
});

describe('a day', () => {
  const now = Date.UTC(2026, 0, 5, 23, 59, 59);
  const midnight = Date.UTC(2026, 0, 6);

  test('is one by UTC', () => {
    expect([dayOf(now), dayOf(midnight)]).toEqual(['2026-01-05', '2026-01-06']);
  });

  test('whose money is spent is waited out', () => {
    const asking = { repo: 'ada/sandbox', budgets: DEFAULT_BUDGETS, now };
    const spent = (mine: number, others: number) => ({
      spentToday: new Map([
        ['ada/sandbox', mine],
        ['ada/tideline', others],
      ]),
      reserved: new Map(),
    });
    expect(dayHolds(spent(99.5, 199.5), asking)).toEqual([]);
    // What is left would not do for anything.
    expect(dayHolds(spent(99.95, 0), asking)).toHaveLength(1);
    expect(dayHolds(spent(100, 200.5), asking)).toEqual([
      {
        on: 'budget',
        until: midnight,
        because: 'this repository spent $100.00 of $100.00 today (UTC); SLUICE_BUDGET_REPO_DAY sets the limit',
      },
      {
        on: 'budget',
        until: midnight,
        because: 'the service spent $300.50 of $300.00 today (UTC); SLUICE_BUDGET_SERVICE_DAY sets the limit',
      },
    ]);
  });
});
