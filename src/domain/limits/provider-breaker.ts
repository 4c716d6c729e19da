import type { AgentOutcome } from '../agent/outcome.js';
import type { Instant } from '../issue/instant.js';

/* One account pays for every agent of a service. While it has trouble, no agent starts. That delays runs and costs them no attempt. */

/** Why the breaker is open. */
type OpenReason = 'quota' | 'provider';

interface OpenPeriod {
  readonly on: OpenReason;
  readonly since: Instant;
  /** How often it was open in a row. */
  readonly tries: number;
  /** How long it has been open in a row, including the current period. */
  readonly waitedMs: number;
  readonly why: string;
}

/** Whether agents may start. */
export type ProviderBreaker =
  | { readonly kind: 'closed' }
  /** A few runs in a row failed at the provider: a short break, then all runs may try again. */
  | {
      readonly kind: 'backing-off';
      readonly on: 'provider';
      readonly failures: number;
      readonly until: Instant;
      readonly why: string;
    }
  /** No run may start before `until`; then one run probes. */
  | ({ readonly kind: 'open'; readonly until: Instant } & OpenPeriod)
  /** This one run probes, until it gets an answer or its time is up. */
  | ({ readonly kind: 'half-open'; readonly run: string; readonly until: Instant } & OpenPeriod)
  /** Only a person can help. */
  | {
      readonly kind: 'tripped';
      readonly on: OpenReason | 'credential';
      readonly since: Instant;
      readonly why: string;
    };

/** What one run learned about the account. */
export type BreakerEvent = { readonly run: string } & (
  | { readonly kind: 'admitted' }
  | { readonly kind: 'answered' }
  | { readonly kind: 'quota'; readonly until: Instant | null }
  | { readonly kind: 'unavailable'; readonly retryAfterMs: number | null; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string }
  /** It ended and learned nothing. */
  | { readonly kind: 'silent' }
);

/** How a run ended, as far as the account is concerned. */
export interface RunEnd {
  readonly kind: AgentOutcome['kind'];
  readonly costUsd: number;
  readonly until?: Instant | null;
  readonly retryAfterMs?: number | null;
  readonly why?: string;
}

export const CLOSED: ProviderBreaker = { kind: 'closed' };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Failed runs in a row after which only one run may probe. */
const FAILURES_TO_OPEN = 3;
/** Older failures no longer count as consecutive. */
const FORGET_FAILURES_MS = HOUR;
const PROVIDER_OPEN_MS = { first: 30 * SECOND, longest: 10 * MINUTE, longestAsked: HOUR };
const QUOTA_OPEN_MS = { first: 5 * MINUTE, longest: HOUR };
/** Clocks differ, and not all runs should come back in the same second. */
const RESET_JITTER_MS = { least: 30 * SECOND, more: 90 * SECOND };
/** Monthly limits reset at most this far ahead; anything later is a mistake. */
const FARTHEST_RESET_MS = 35 * DAY;
/** After being open longer than this, a person is needed. */
const LONGEST_WAIT_MS = DAY;
/** How long one run may probe before another one may. */
const PROBE_MS = 15 * MINUTE;

/** The condition after an event. `random` is between 0 and 1. */
export function updateBreaker(
  breaker: ProviderBreaker,
  event: BreakerEvent,
  now: Instant,
  random: number,
): ProviderBreaker {
  if (breaker.kind === 'tripped') return breaker;
  if (event.kind === 'refused') return { kind: 'tripped', on: 'credential', since: now, why: event.why };
  if (breaker.kind === 'half-open' && now < breaker.until && breaker.run !== event.run)
    // Other runs asked before the breaker opened. From them only an answer of the provider is news.
    return event.kind === 'answered' && breaker.on === 'provider' ? CLOSED : breaker;
  switch (event.kind) {
    case 'admitted':
      return isDue(breaker, now) ? { ...breaker, kind: 'half-open', run: event.run, until: now + PROBE_MS } : breaker;
    case 'answered':
      return breaker.kind === 'open' && breaker.on === 'quota' ? breaker : CLOSED;
    case 'silent':
      return breaker.kind === 'half-open' ? { ...openPeriodOf(breaker), kind: 'open', until: now } : breaker;
    case 'quota':
      return afterQuota(breaker, event.until, now, random);
    case 'unavailable':
      return afterFailure(breaker, event, now, random);
  }
}

/** What the end of a run says about the account. */
export function toBreakerEvent(run: string, end: RunEnd): BreakerEvent {
  const why = end.why ?? end.kind;
  switch (end.kind) {
    case 'quota':
      return { run, kind: 'quota', until: end.until ?? null };
    case 'throttled':
    case 'provider-down':
      return { run, kind: 'unavailable', retryAfterMs: end.retryAfterMs ?? null, why };
    case 'auth':
    case 'billing':
      return { run, kind: 'refused', why };
    case 'stopped':
    case 'lost':
    case 'stalled':
    case 'timed-out':
      return { run, kind: 'silent' };
    default:
      // A run that cost money got an answer.
      return { run, kind: end.costUsd > 0 ? 'answered' : 'silent' };
  }
}

type OpenOrHalfOpen = Extract<ProviderBreaker, OpenPeriod>;

const isDue = (breaker: ProviderBreaker, now: Instant): breaker is OpenOrHalfOpen =>
  (breaker.kind === 'open' || breaker.kind === 'half-open') && breaker.until <= now;

const openPeriodOf = ({ on, since, tries, waitedMs, why }: OpenPeriod): OpenPeriod => ({
  on,
  since,
  tries,
  waitedMs,
  why,
});

function afterQuota(breaker: ProviderBreaker, reset: Instant | null, now: Instant, random: number): ProviderBreaker {
  const known = reset !== null && reset > now && reset <= now + FARTHEST_RESET_MS ? reset : null;
  const jitter = RESET_JITTER_MS.least + random * RESET_JITTER_MS.more;
  const before = breaker.kind === 'open' || breaker.kind === 'half-open' ? breaker : null;
  if (before?.kind === 'open' && before.on === 'quota' && now < before.until) {
    // The same refusal, seen by a run that was already in progress. It does not count again, but may know a later reset.
    const until = Math.max(before.until, known === null ? 0 : known + jitter);
    return { ...before, until, waitedMs: before.waitedMs + until - before.until };
  }
  const tries = before?.on === 'quota' ? before.tries + 1 : 1;
  const unknown = Math.min(QUOTA_OPEN_MS.first * 2 ** (tries - 1), QUOTA_OPEN_MS.longest);
  const until = known === null ? now + unknown : known + jitter;
  return openBreaker(before, { on: 'quota', tries, until, why: 'the account’s usage limit is reached' }, now);
}

function afterFailure(
  breaker: ProviderBreaker,
  { retryAfterMs, why }: Extract<BreakerEvent, { kind: 'unavailable' }>,
  now: Instant,
  random: number,
): ProviderBreaker {
  if (breaker.kind === 'open' && now < breaker.until) return breaker;
  const before = breaker.kind === 'open' || breaker.kind === 'half-open' ? breaker : null;
  const failures = before?.on === 'provider' ? before.tries + 1 : failuresBefore(breaker, now) + 1;
  const backoff = Math.min(PROVIDER_OPEN_MS.first * 2 ** (failures - 1), PROVIDER_OPEN_MS.longest) * (1 + random / 4);
  const until = now + Math.max(backoff, Math.min(retryAfterMs ?? 0, PROVIDER_OPEN_MS.longestAsked));
  if (failures < FAILURES_TO_OPEN && before === null)
    return { kind: 'backing-off', on: 'provider', failures, until, why };
  return openBreaker(before, { on: 'provider', tries: failures, until, why }, now);
}

function failuresBefore(breaker: ProviderBreaker, now: Instant): number {
  return breaker.kind === 'backing-off' && now < breaker.until + FORGET_FAILURES_MS ? breaker.failures : 0;
}

function openBreaker(
  before: OpenOrHalfOpen | null,
  next: { readonly on: OpenReason; readonly tries: number; readonly until: Instant; readonly why: string },
  now: Instant,
): ProviderBreaker {
  const { since = now, waitedMs = 0 } = before ?? {};
  if (waitedMs >= LONGEST_WAIT_MS) return { kind: 'tripped', on: next.on, since: now, why: next.why };
  return { kind: 'open', ...next, since, waitedMs: waitedMs + next.until - now };
}
