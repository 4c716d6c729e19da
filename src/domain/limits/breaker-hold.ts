import type { ProviderBreaker } from './provider-breaker.js';
import type { Hold } from './policy.js';
import type { Instant } from '../issue/instant.js';

/** How soon runs that wait for a probe check again. */
const RECHECK_MS = 30_000;

/** Why nothing may start now; `null` when it may. The probing run does not wait for itself. */
export function breakerHold(breaker: ProviderBreaker, now: Instant, run?: string): Hold | null {
  if (breaker.kind === 'closed') return null;
  const { on } = breaker;
  if (breaker.kind === 'tripped') return { on, until: null, because: because(breaker) };
  if (breaker.until <= now || (breaker.kind === 'half-open' && breaker.run === run)) return null;
  const until = breaker.kind === 'half-open' ? Math.min(breaker.until, now + RECHECK_MS) : breaker.until;
  return { on, until, because: because(breaker) };
}

function because(breaker: Exclude<ProviderBreaker, { kind: 'closed' }>): string {
  const clear = '`sluice account --clear`';
  switch (breaker.kind) {
    case 'backing-off':
      return `the model’s API failed (${breaker.why})`;
    case 'open':
      return breaker.on === 'quota'
        ? `${breaker.why}; ${clear} tries sooner`
        : `the model’s API keeps failing (${breaker.why})`;
    case 'half-open':
      return `one run is trying whether the model’s API answers again (${breaker.why})`;
    case 'tripped':
      if (breaker.on === 'credential')
        return `the model’s API refuses the credential (${breaker.why}); put it right, then ${clear}`;
      return `waited a day in vain for the model’s API (${breaker.why}); see what is wrong, then ${clear}`;
  }
}
