import { formatInstant } from '../../domain/issue/instant.js';
import type { ProviderBreaker } from '../../domain/limits/provider-breaker.js';
import type { AccountReport, KillSwitch } from '../../domain/limits/account-report.js';
import type { ModelAccount } from '../../ports/model-account.js';
import type { Instant } from '../../ports/clock.js';
import type { Answer } from './answer.js';

/** Where an operator looks after the account that pays. */
export type AccountService = Pick<ModelAccount, 'report' | 'clear' | 'setKillSwitch'>;

export async function showAccount(account: AccountService): Promise<Answer> {
  return { status: 200, body: accountView(await account.report()) };
}

/** A report for programs: times as ISO, on the command line as in the API. */
export function accountView({ breaker, holds, today, killSwitch }: AccountReport) {
  return {
    breaker: conditionView(breaker),
    holds: holds.map(({ on, until: end, because }) => ({ on, until: momentOf(end), because })),
    killSwitch: killSwitchOf(killSwitch),
    today,
  };
}

export async function showKillSwitch(account: AccountService): Promise<Answer> {
  const { killSwitch } = await account.report();
  return { status: 200, body: { on: killSwitch !== null, since: killSwitchOf(killSwitch) } };
}

/** What people need of it: the rest is how it is counted. */
function conditionView(condition: ProviderBreaker) {
  const { kind } = condition;
  return {
    kind,
    on: 'on' in condition ? condition.on : null,
    until: 'until' in condition ? momentOf(condition.until) : null,
    why: 'why' in condition ? condition.why : null,
  };
}

function killSwitchOf(killSwitch: KillSwitch | null) {
  return killSwitch === null ? null : { ...killSwitch, at: momentOf(killSwitch.at) };
}

const momentOf = (at: Instant | null): string | null => (at === null ? null : formatInstant(at));
