import type { AccountCondition } from './account.js';
import type { Hold } from './policy.js';
import type { Instant } from './state.js';

/** How soon those who wait for a probe look again. */
const LOOK_AGAIN_MS = 30_000;

/** Why nothing may start now; `null` when it may. A run that tries for all does not wait for itself. */
export function holdOf(condition: AccountCondition, now: Instant, run?: string): Hold | null {
  switch (condition.kind) {
    case 'fine':
      return null;
    case 'cooling':
    case 'resting':
      return now < condition.until
        ? {
            on: condition.kind === 'cooling' ? 'provider' : condition.on,
            until: condition.until,
            because: because(condition),
          }
        : null;
    case 'probing':
      return now < condition.until && condition.run !== run
        ? { on: condition.on, until: Math.min(condition.until, now + LOOK_AGAIN_MS), because: because(condition) }
        : null;
    case 'stopped':
      return { on: condition.on, until: null, because: because(condition) };
  }
}

function because(condition: Exclude<AccountCondition, { kind: 'fine' }>): string {
  const clear = '`sluice account --clear`';
  switch (condition.kind) {
    case 'cooling':
      return `the model’s API failed (${condition.why})`;
    case 'resting':
      return condition.on === 'quota'
        ? `${condition.why}; ${clear} tries sooner`
        : `the model’s API keeps failing (${condition.why})`;
    case 'probing':
      return `one run is trying whether the model’s API answers again (${condition.why})`;
    case 'stopped':
      if (condition.on === 'credential')
        return `the model’s API refuses the credential (${condition.why}); put it right, then ${clear}`;
      return `waited a day in vain for the model’s API (${condition.why}); see what is wrong, then ${clear}`;
  }
}
