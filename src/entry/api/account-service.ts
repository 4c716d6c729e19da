import { formatInstant } from '../../domain/issue/instant.js';
import type { ProviderBreaker } from '../../domain/limits/provider-breaker.js';
import type { AccountReport, KillSwitch } from '../../domain/limits/account-report.js';
import type { ModelAccount } from '../../ports/model-account.js';
import type { Instant } from '../../ports/clock.js';
import type { Answer } from './answer.js';

/** The operator's access to the model account. */
export type AccountService = Pick<ModelAccount, 'report' | 'clear' | 'setKillSwitch'>;

export async function showAccount(account: AccountService): Promise<Answer> {
  return { status: 200, body: accountView(await account.report()) };
}

/** The report for programs, with ISO times; the command line and the API share it. */
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

/** The parts that people need. */
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
