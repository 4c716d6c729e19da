import type { z } from 'zod';
import { type BudgetConfig, DEFAULT_BUDGETS } from '../domain/limits/budgets.js';
import type { ModelConfig } from '../domain/limits/tier.js';
import { variable } from './variable.js';

/** Model ids the CLI accepts: `claude-opus-5-5`, `sonnet`, `claude-sonnet-4-5[1m]`, or a gateway's own names. */
const MODEL_ID = /^[A-Za-z0-9][\w.:@/-]{0,127}(\[\w+\])?$/;

/** An amount of money; unset means the default. */
const money = <Default>(byDefault: Default, otherwise: string) =>
  variable(`use an amount in USD above 0, such as 25 or 7.5; without it, ${otherwise}.`, (text) => {
    if (text === undefined) return { usd: byDefault };
    const usd = /^\d{1,7}(\.\d{1,2})?$/.test(text) ? Number(text) : 0;
    return usd > 0 ? { usd } : null;
  });

const model = variable('use the id of a model, such as claude-opus-5-5; without it the CLI chooses.', (text) =>
  text === undefined || MODEL_ID.test(text) ? { id: text ?? null } : null,
);

const { repoDayUsd, serviceDayUsd } = DEFAULT_BUDGETS;

/** Which models agents use, and what they may spend. */
export const moneyShape = {
  SLUICE_MODEL_HEAVY: model,
  SLUICE_MODEL_MEDIUM: model,
  SLUICE_MODEL_LIGHT: model,
  SLUICE_MODEL_FALLBACK: model,
  SLUICE_BUDGET_ISSUE: money(null, 'by size'),
  SLUICE_BUDGET_REPO_DAY: money(repoDayUsd, String(repoDayUsd)),
  SLUICE_BUDGET_SERVICE_DAY: money(serviceDayUsd, String(serviceDayUsd)),
  SLUICE_KILL_SWITCH: variable('use on or off.', (text = 'off') =>
    text === 'on' || text === 'off' ? { isOn: text === 'on' } : null,
  ),
};

export function moneySettings(values: z.output<z.ZodObject<typeof moneyShape>>): {
  readonly models: ModelConfig;
  readonly budgets: BudgetConfig;
  /** Why nothing may start; `null` when agents may start. */
  readonly stoppedBecause: string | null;
} {
  return {
    models: {
      heavy: values.SLUICE_MODEL_HEAVY.id,
      medium: values.SLUICE_MODEL_MEDIUM.id,
      light: values.SLUICE_MODEL_LIGHT.id,
      fallback: values.SLUICE_MODEL_FALLBACK.id,
    },
    budgets: {
      issueUsd: values.SLUICE_BUDGET_ISSUE.usd,
      repoDayUsd: values.SLUICE_BUDGET_REPO_DAY.usd,
      serviceDayUsd: values.SLUICE_BUDGET_SERVICE_DAY.usd,
    },
    stoppedBecause: values.SLUICE_KILL_SWITCH.isOn ? 'SLUICE_KILL_SWITCH is on' : null,
  };
}
