import type { Hold } from '../../domain/policy.js';
import type { Instant } from '../../ports/clock.js';
import type { Answer } from './answer.js';

interface Spend {
  readonly usd: number;
  readonly limitUsd: number;
}

/** How the account is. */
interface AccountReport {
  readonly condition: { readonly kind: string; readonly until?: Instant; readonly why?: string };
  readonly holds: readonly Hold[];
  readonly killSwitch: { readonly by: string; readonly why: string; readonly at: Instant | null } | null;
  readonly today: {
    readonly day: string;
    readonly service: Spend;
    readonly repositories: readonly (Spend & { readonly repository: string })[];
  };
}

/** Where an operator looks after the account that pays. */
export interface AccountDesk {
  condition(): Promise<AccountReport>;
  /** A person says it is fine: ends a pause. */
  clear(by: string): Promise<void>;
  setKillSwitch(on: boolean, by: string, why: string): Promise<void>;
}

export async function showAccount(desk: AccountDesk): Promise<Answer> {
  const { condition, holds, today, killSwitch } = await desk.condition();
  const { until, ...rest } = condition;
  return {
    status: 200,
    body: {
      condition: { ...rest, ...(until === undefined ? {} : { until: iso(until) }) },
      holds: holds.map(({ on, until: end, because }) => ({ on, until: iso(end), because })),
      killSwitch: killSwitchOf(killSwitch),
      today,
    },
  };
}

export async function showKillSwitch(desk: AccountDesk): Promise<Answer> {
  const { killSwitch } = await desk.condition();
  return { status: 200, body: { on: killSwitch !== null, since: killSwitchOf(killSwitch) } };
}

function killSwitchOf(killSwitch: AccountReport['killSwitch']) {
  return killSwitch === null ? null : { ...killSwitch, at: iso(killSwitch.at) };
}

const iso = (at: Instant | null): string | null => (at === null ? null : new Date(at).toISOString());
