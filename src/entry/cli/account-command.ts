import { formatInstant } from '../../domain/issue/instant.js';
import { userInfo } from 'node:os';
import { Command, Option } from 'commander';
import { RedisModelAccount } from '../../adapters/redis/model-account/redis-model-account.js';
import { systemClock } from '../../adapters/clock/system-clock.js';
import { failFastClient, awaitRedis } from '../../adapters/redis/redis-client.js';
import type { AccountReport, Spend } from '../../domain/limits/account-report.js';
import { formatUsd } from '../../domain/limits/budgets.js';
import type { ModelAccount } from '../../ports/model-account.js';
import { accountView } from '../api/account-service.js';
import { CommandFailure } from './command-failure.js';
import { accountSettings } from './settings.js';

interface Flags {
  readonly json?: true;
  readonly clear?: true;
  readonly stopAll?: true | string;
  readonly resumeAll?: true;
}

const CONNECT_MS = 2_000;

/** `sluice account`: whether agents may start, what they cost today, and the switches for both. */
export function accountCommand(): Command {
  return new Command('account')
    .description('Show whether agents may start and what they cost today; end a pause; stop everything.')
    .option('--json', 'print one JSON object')
    .option('--clear', 'end a pause or a stop: the next run tries at once')
    .addOption(new Option('--stop-all [why]', 'let no agent start any more').conflicts('resumeAll'))
    .option('--resume-all', 'take --stop-all back')
    .action(runAccountCommand);
}

async function runAccountCommand({ json, clear, stopAll, resumeAll }: Flags): Promise<void> {
  await withAccount(async (account) => {
    const by = userInfo().username;
    if (clear === true) await account.clear(by);
    if (stopAll !== undefined) await account.setKillSwitch(true, by, stopAll === true ? 'no reason given' : stopAll);
    if (resumeAll === true) await account.setKillSwitch(false, by, 'resumed');
    const report = await account.report();
    process.stdout.write(`${json === true ? JSON.stringify(accountView(report)) : reportText(report)}\n`);
  });
}

async function withAccount(task: (account: ModelAccount) => Promise<void>): Promise<void> {
  const { redisUrl, budgets, stoppedBecause } = accountSettings();
  await awaitRedis(redisUrl, systemClock, CONNECT_MS).catch((error: unknown) => {
    throw new CommandFailure(`${error instanceof Error ? error.message : String(error)} See SLUICE_REDIS_URL.`);
  });
  const redis = failFastClient(redisUrl, QUIET);
  try {
    await redis.connect();
    const parts = { redis, clock: systemClock, log: QUIET, random: Math.random };
    await task(new RedisModelAccount({ ...parts, budgets, stoppedBecause, credential: null }));
  } finally {
    redis.disconnect();
  }
}

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The states of the breaker, for people; `--json` has the states themselves. */
const BREAKER_TEXT: Readonly<Record<AccountReport['breaker']['kind'], string>> = {
  closed: 'available',
  'backing-off': 'waiting after an error',
  open: 'paused',
  'half-open': 'being tried again',
  tripped: 'stopped',
};

function reportText({ breaker, killSwitch, holds, today }: AccountReport): string {
  const spent = ({ usd, reservedUsd, limitUsd }: Spend): string =>
    `${formatUsd(usd)} of ${formatUsd(limitUsd)}${reservedUsd > 0 ? `, ${formatUsd(reservedUsd)} set aside for runs at work` : ''}`;
  return [
    `account  ${BREAKER_TEXT[breaker.kind]}`,
    `service  ${killSwitch === null ? 'running' : 'stopped'}`,
    `today    ${spent(today.service)} since midnight UTC`,
    ...today.repositories.map(({ repository, ...spend }) => `         ${repository}: ${spent(spend)}`),
    ...(holds.length === 0 ? ['agents   may start'] : []),
    ...holds.map(
      ({ until, because }) =>
        `waits    ${until === null ? 'for a person' : `until ${formatInstant(until)}`}: ${because}`,
    ),
  ].join('\n');
}
