import type { AccountCondition } from './account.js';
import type { Hold } from './policy.js';
import type { Instant } from './state.js';

/** How soon those who wait for a probe look again. */
const LOOK_AGAIN_MS = 30_000;

/** Why nothing may start now; `null` when it may. A run that tries for all does not wait for itself. */
export function holdOf(condition: AccountCondition, now: Instant, run?: string): Hold | null {
  if (condition.kind === 'fine') return null;
  const { on } = condition;
  if (condition.kind === 'stopped') return { on, until: null, because: because(condition) };
  if (condition.until <= now || (condition.kind === 'probing' && condition.run === run)) return null;
  const until = condition.kind === 'probing' ? Math.min(condition.until, now + LOOK_AGAIN_MS) : condition.until;
  return { on, until, because: because(condition) };
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
