import { formatInstant } from '../../domain/issue/instant.js';
import { Command, Option } from 'commander';
import { systemClock } from '../../adapters/clock/system-clock.js';
import { RedisEventLog } from '../../adapters/events/redis-event-log.js';
import { failFastClient, awaitRedis } from '../../adapters/redis/redis-client.js';
import { formatIssue, type IssueRef, shortOid } from '../../domain/issue/ids.js';
import { isAtRest, type RunEntry } from '../../domain/events/run-entry.js';
import type { LiveRun } from '../../domain/events/run-event.js';
import type { EventLog } from '../../ports/event-log.js';
import { type RunReport, runReport } from '../../usecases/report/run-report.js';
import { liveView } from '../api/runs.js';
import { CommandFailure } from './command-failure.js';
import { issueArgument, withIssue, print, QUIET } from './with-issue.js';
import { chosenRedis } from './settings.js';

const CONNECT_MS = 2_000;

/** `sluice status`: the state of a run. */
export function statusCommand(): Command {
  return new Command('status')
    .description('Show how the run of an issue stands; with SLUICE_REDIS_URL also what its agent does right now.')
    .addArgument(issueArgument())
    .option('--json', 'print one JSON object')
    .action((ref: IssueRef, { json }: { readonly json?: true }) =>
      withIssue(ref, async (connection, snapshot) => {
        const report = await runReport(connection, snapshot);
        const live = report.lease === null ? null : await liveOf(ref);
        const shown = { ...report, live: live === null ? null : liveView(live) };
        print(json === true ? JSON.stringify(shown) : statusText(report, live));
      }),
    );
}

/** `sluice runs`: lists the runs. */
export function runsCommand(): Command {
  return new Command('runs')
    .description('List known runs, the latest first, from the Redis of the service.')
    .addOption(new Option('--all', 'also those that are done, or wait for a person'))
    .option('--json', 'print one JSON array')
    .action(async ({ all, json }: { readonly all?: true; readonly json?: true }) => {
      const url = chosenRedis();
      if (url === null)
        throw new CommandFailure('set SLUICE_REDIS_URL to the Redis of your service, or ask its API: GET /api/runs');
      const runs = await withEvents(url, (events) => events.runs()).catch((error: unknown) => {
        throw new CommandFailure(`${error instanceof Error ? error.message : String(error)} See SLUICE_REDIS_URL.`);
      });
      const shown = runs.filter((run) => all === true || !isAtRest(run));
      if (json === true) return print(JSON.stringify(shown.map((run) => ({ ...run, at: formatInstant(run.at) }))));
      print(shown.length === 0 ? 'nothing is going on' : shown.map(runLine).join('\n'));
    });
}

/** A hint: `null` when Redis is missing or does not answer. */
async function liveOf(ref: IssueRef): Promise<LiveRun | null> {
  const url = chosenRedis();
  return url === null ? null : withEvents(url, (events) => events.live(ref)).catch(() => null);
}

async function withEvents<T>(url: string, task: (events: EventLog) => Promise<T>): Promise<T> {
  await awaitRedis(url, systemClock, CONNECT_MS);
  const redis = failFastClient(url, QUIET);
  try {
    await redis.connect();
    const parts = { redis, clock: systemClock, log: QUIET, redact: (text: string) => text };
    return await task(new RedisEventLog({ ...parts, folder: null }));
  } finally {
    redis.disconnect();
  }
}

function statusText(report: RunReport, live: LiveRun | null): string {
  const { issue, title, open, status, run, phase, size, route, pull, landed, halt, next, counters } = report;
  const held = report.criteria.filter(({ verdict }) => verdict === 'PASS').length;
  const rows: readonly (readonly [string, string | null])[] = [
    ['status', `${status} at ${phase}; size ${size ?? 'not known'}, route ${route}`],
    ['run', run === null ? null : `by ${run.by}, since ${run.startedAt}`],
    ['pull', pull === null ? null : `#${pull.number}, ${pull.state}, ${shortOid(pull.head)}`],
    ['landed', landed],
    ['criteria', report.criteria.length === 0 ? null : `${held} of ${report.criteria.length} hold`],
    ['used', run === null ? null : `${counters.agentRuns} agent runs, $${report.spentUsd.toFixed(2)}`],
    ['agent', live === null ? null : `${live.phase}: ${live.recent.map(({ text }) => oneLine(text)).join(' · ')}`],
    ['next', `${next.action} ${next.what}${next.until === null ? '' : ` until ${next.until}`}: ${next.because}`],
    ['stopped', halt === null ? null : `${halt.message} (${halt.because})`],
    ['to do', halt?.remedy ?? null],
  ];
  const lines = rows.flatMap(([name, text]) => (text === null ? [] : [`  ${name.padEnd(9)} ${text}`]));
  return [`${formatIssue(issue)} (${open ? 'open' : 'closed'}): ${title}`, ...lines].join('\n');
}

function runLine({ issue, status, phase, because, at }: RunEntry): string {
  return `${formatInstant(at)}  ${formatIssue(issue)}  ${status}${phase === null ? '' : ` at ${phase}`}: ${oneLine(because)}`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 100);
