import { z } from 'zod';
import { type ProviderBreaker, CLOSED } from '../../../domain/limits/provider-breaker.js';
import type { KillSwitch } from '../../../domain/limits/account-report.js';
import type { Reservation } from '../../../domain/limits/day-budget.js';

const pauseFields = {
  on: z.enum(['quota', 'provider']),
  since: z.number(),
  tries: z.number(),
  waitedMs: z.number(),
  why: z.string(),
  until: z.number(),
};

const condition = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('closed') }),
  z.object({
    kind: z.literal('backing-off'),
    on: z.literal('provider'),
    failures: z.number(),
    until: z.number(),
    why: z.string(),
  }),
  z.object({ kind: z.literal('open'), ...pauseFields }),
  z.object({ kind: z.literal('half-open'), ...pauseFields, run: z.string() }),
  z.object({
    kind: z.literal('tripped'),
    on: z.enum(['quota', 'provider', 'credential']),
    since: z.number(),
    why: z.string(),
  }),
]) satisfies z.ZodType<ProviderBreaker>;

const stored = z.object({ credential: z.string().nullable(), condition });
const killSwitch = z.object({ by: z.string(), why: z.string(), at: z.number() });

/** Formats a condition together with its credential. */
export function formatCondition(credential: string | null, condition: ProviderBreaker): string {
  return JSON.stringify({ credential, condition });
}

/** Unreadable text and conditions of another credential count as none. `null` accepts any credential. */
export function parseCondition(text: string | null, credential: string | null): ProviderBreaker {
  const found = stored.safeParse(parseJson(text)).data;
  const isMeant = credential === null || found?.credential === credential;
  // Always the same object, so that "unchanged" can be detected.
  return found === undefined || !isMeant || found.condition.kind === 'closed' ? CLOSED : found.condition;
}

export const formatKillSwitch = (value: KillSwitch): string => JSON.stringify(value);

/** An unreadable switch counts as on: somebody wanted to stop the service. */
export function parseKillSwitch(text: string): KillSwitch {
  return killSwitch.safeParse(parseJson(text)).data ?? { by: 'somebody', why: 'its record cannot be read', at: null };
}

/** Parses the reservations the script wrote, by run; unreadable ones reserve nothing. */
export function parseReservations(entries: readonly (readonly [string, unknown])[]): ReadonlyMap<string, Reservation> {
  return new Map(
    entries.flatMap(([run, text]) => {
      const [, until, usd, repo] = /^(\d+) (\S+) (.+)$/.exec(String(text)) ?? [];
      const reservation = { until: Number(until), usd: Number(usd), repo: repo ?? '' };
      return Number.isFinite(reservation.until) && isMoney(reservation.usd) ? [[run, reservation] as const] : [];
    }),
  );
}

/** The amounts spent today, by repository. Impossible values are ignored. */
export function parseSpent(entries: readonly (readonly [string, unknown])[]): ReadonlyMap<string, number> {
  return new Map(entries.flatMap(([repo, usd]) => (isMoney(Number(usd)) ? [[repo, Number(usd)] as const] : [])));
}

const isMoney = (usd: number): boolean => Number.isFinite(usd) && usd >= 0;

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
