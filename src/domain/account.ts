import type { AgentOutcome } from './outcome.js';
import type { Instant } from './state.js';

/* One account pays for every agent of a service. Its condition decides whether any may start: it delays, and charges nobody. */

/** What an account rests for. */
type RestReason = 'quota' | 'provider';

interface Rest {
  readonly on: RestReason;
  readonly since: Instant;
  /** How often it has rested in a row. */
  readonly tries: number;
  /** How long it has rested in a row, the rest at hand included. */
  readonly waitedMs: number;
  readonly why: string;
}

/** Whether agents may start. */
export type AccountCondition =
  | { readonly kind: 'fine' }
  /** A few runs in a row met trouble at the provider: a short break, then everybody may try again. */
  | {
      readonly kind: 'cooling';
      readonly on: 'provider';
      readonly failures: number;
      readonly until: Instant;
      readonly why: string;
    }
  /** Nobody may start before `until`; then one run tries for all. */
  | ({ readonly kind: 'resting'; readonly until: Instant } & Rest)
  /** This one run tries for all, until it is answered or its time is up. */
  | ({ readonly kind: 'probing'; readonly run: string; readonly until: Instant } & Rest)
  /** Nothing helps but a person. */
  | {
      readonly kind: 'stopped';
      readonly on: RestReason | 'credential';
      readonly since: Instant;
      readonly why: string;
    };

/** What one run learned about the account. */
export type AccountEvent = { readonly run: string } & (
  | { readonly kind: 'admitted' }
  | { readonly kind: 'answered' }
  | { readonly kind: 'quota'; readonly until: Instant | null }
  | { readonly kind: 'unavailable'; readonly retryAfterMs: number | null; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string }
  /** It ended and learned nothing. */
  | { readonly kind: 'silent' }
);

/** How a run ended, as far as the account is concerned; an outcome with its cost is one. */
export interface RunEnd {
  readonly kind: AgentOutcome['kind'];
  readonly costUsd: number;
  readonly until?: Instant | null;
  readonly retryAfterMs?: number | null;
  readonly why?: string;
}

export const FINE: AccountCondition = { kind: 'fine' };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Runs in a row the provider may fail before only one is let through. */
const FAILURES_TO_REST = 3;
/** Failures longer ago than this are not in a row with new ones. */
const FORGET_FAILURES_MS = HOUR;
const PROVIDER_REST_MS = { first: 30 * SECOND, longest: 10 * MINUTE, longestAsked: HOUR };
const QUOTA_REST_MS = { first: 5 * MINUTE, longest: HOUR };
/** Clocks differ, and not everybody should come back in the same second. */
const RESET_JITTER_MS = { least: 30 * SECOND, more: 90 * SECOND };
/** Monthly limits reset at most this far ahead; anything later is a mistake. */
const FARTHEST_RESET_MS = 35 * DAY;
/** Rested in vain for longer than this, a person has to look. */
const LONGEST_WAIT_MS = DAY;
/** How long one run may try for all before another one may. */
const PROBE_MS = 15 * MINUTE;

/** The condition after an event. `random` is between 0 and 1. */
export function nextCondition(
  condition: AccountCondition,
  event: AccountEvent,
  now: Instant,
  random: number,
): AccountCondition {
  if (condition.kind === 'stopped') return condition;
  if (event.kind === 'refused') return { kind: 'stopped', on: 'credential', since: now, why: event.why };
  if (condition.kind === 'probing' && now < condition.until && condition.run !== event.run)
    // What others learn now they have asked before; only that the provider answers is news.
    return event.kind === 'answered' && condition.on === 'provider' ? FINE : condition;
  switch (event.kind) {
    case 'admitted':
      return isDue(condition, now)
        ? { ...condition, kind: 'probing', run: event.run, until: now + PROBE_MS }
        : condition;
    case 'answered':
      return condition.kind === 'resting' && condition.on === 'quota' ? condition : FINE;
    case 'silent':
      return condition.kind === 'probing' ? { ...restOf(condition), kind: 'resting', until: now } : condition;
    case 'quota':
      return afterQuota(condition, event.until, now, random);
    case 'unavailable':
      return afterFailure(condition, event, now, random);
  }
}

/** What the end of a run says about the account. */
export function eventOf(run: string, end: RunEnd): AccountEvent {
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
      // What was paid for was answered.
      return { run, kind: end.costUsd > 0 ? 'answered' : 'silent' };
  }
}

type Restful = Extract<AccountCondition, Rest>;

const isDue = (condition: AccountCondition, now: Instant): condition is Restful =>
  (condition.kind === 'resting' || condition.kind === 'probing') && condition.until <= now;

const restOf = ({ on, since, tries, waitedMs, why }: Rest): Rest => ({ on, since, tries, waitedMs, why });

function afterQuota(
  condition: AccountCondition,
  reset: Instant | null,
  now: Instant,
  random: number,
): AccountCondition {
  const known = reset !== null && reset > now && reset <= now + FARTHEST_RESET_MS ? reset : null;
  const jitter = RESET_JITTER_MS.least + random * RESET_JITTER_MS.more;
  const before = condition.kind === 'resting' || condition.kind === 'probing' ? condition : null;
  if (before?.kind === 'resting' && before.on === 'quota' && now < before.until) {
    // The same refusal, met by a run that was under way: it may know the reset better, and is not one more.
    const until = Math.max(before.until, known === null ? 0 : known + jitter);
    return { ...before, until, waitedMs: before.waitedMs + until - before.until };
  }
  const tries = before?.on === 'quota' ? before.tries + 1 : 1;
  const unknown = Math.min(QUOTA_REST_MS.first * 2 ** (tries - 1), QUOTA_REST_MS.longest);
  const until = known === null ? now + unknown : known + jitter;
  return rested(before, { on: 'quota', tries, until, why: 'the account’s usage limit is reached' }, now);
}

function afterFailure(
  condition: AccountCondition,
  { retryAfterMs, why }: Extract<AccountEvent, { kind: 'unavailable' }>,
  now: Instant,
  random: number,
): AccountCondition {
  if (condition.kind === 'resting' && now < condition.until) return condition;
  const before = condition.kind === 'resting' || condition.kind === 'probing' ? condition : null;
  const failures = before?.on === 'provider' ? before.tries + 1 : failuresBefore(condition, now) + 1;
  const backoff = Math.min(PROVIDER_REST_MS.first * 2 ** (failures - 1), PROVIDER_REST_MS.longest) * (1 + random / 4);
  const until = now + Math.max(backoff, Math.min(retryAfterMs ?? 0, PROVIDER_REST_MS.longestAsked));
  if (failures < FAILURES_TO_REST && before === null) return { kind: 'cooling', on: 'provider', failures, until, why };
  return rested(before, { on: 'provider', tries: failures, until, why }, now);
}

function failuresBefore(condition: AccountCondition, now: Instant): number {
  return condition.kind === 'cooling' && now < condition.until + FORGET_FAILURES_MS ? condition.failures : 0;
}

function rested(
  before: Restful | null,
  next: { readonly on: RestReason; readonly tries: number; readonly until: Instant; readonly why: string },
  now: Instant,
): AccountCondition {
  const { since = now, waitedMs = 0 } = before ?? {};
  if (waitedMs >= LONGEST_WAIT_MS) return { kind: 'stopped', on: next.on, since: now, why: next.why };
  return { kind: 'resting', ...next, since, waitedMs: waitedMs + next.until - now };
}
