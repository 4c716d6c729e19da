import type { AccountCondition } from '../../domain/account.js';
import type { AccountReport, KillSwitch } from '../../domain/account-books.js';
import type { Account } from '../../ports/account.js';
import type { Instant } from '../../ports/clock.js';
import type { Answer } from './answer.js';

/** Where an operator looks after the account that pays. */
export type AccountDesk = Pick<Account, 'condition' | 'clear' | 'setKillSwitch'>;

export async function showAccount(desk: AccountDesk): Promise<Answer> {
  return { status: 200, body: accountView(await desk.condition()) };
}

/** A report for programs: times as ISO, on the command line as in the API. */
export function accountView({ condition, holds, today, killSwitch }: AccountReport) {
  return {
    condition: conditionView(condition),
    holds: holds.map(({ on, until: end, because }) => ({ on, until: iso(end), because })),
    killSwitch: killSwitchOf(killSwitch),
    today,
  };
}

export async function showKillSwitch(desk: AccountDesk): Promise<Answer> {
  const { killSwitch } = await desk.condition();
  return { status: 200, body: { on: killSwitch !== null, since: killSwitchOf(killSwitch) } };
}

/** What people need of it: the rest is how it is counted. */
function conditionView(condition: AccountCondition) {
  const { kind } = condition;
  return {
    kind,
    on: 'on' in condition ? condition.on : null,
    until: 'until' in condition ? iso(condition.until) : null,
    why: 'why' in condition ? condition.why : null,
  };
}

function killSwitchOf(killSwitch: KillSwitch | null) {
  return killSwitch === null ? null : { ...killSwitch, at: iso(killSwitch.at) };
}

const iso = (at: Instant | null): string | null => (at === null ? null : new Date(at).toISOString());
