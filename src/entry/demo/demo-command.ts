import { existsSync, realpathSync } from 'node:fs';
import { Command, Option } from 'commander';
import { systemClock } from '../../adapters/clock/system-clock.js';
import { formatDuration } from '../../domain/render/phrases/figures.js';
import { guardsText } from '../../domain/render/phrases/sandbox-limits.js';
import type { Log } from '../../ports/log.js';
import type { Swap } from '../../ports/state-store.js';
import { CommandFailure } from '../cli/command-failure.js';
import { type Narrator, plainNarrator, SILENT, tableNarrator } from './narrator.js';
import { play, type Played, type ScenarioReport, SCENARIOS, type StoryTracker } from './play.js';
import { advanceStory, EMPTY_STORY } from './story.js';
import { type DemoWorld, openDemoWorld } from './world.js';
import { waitForAbort, interruption } from '../cli/interruption.js';
import { claudeName } from '../cli/own-claude.js';
import { chosenClaude, PRODUCT, programPath } from '../cli/settings.js';

interface DemoFlags {
  readonly scenario: 'patch' | 'pr' | 'all';
  readonly keep?: true;
  readonly json?: true;
}

/** Width for terminals that do not report one. */
const WIDTH = 100;

/** Deadline of a scenario; on two cores it takes a quarter of this. */
const DEADLINE_MS = 120_000;

/** `sluice demo`: the whole system on this machine. */
export function demoCommand(): Command {
  return new Command('demo')
    .description('Drive issues of a sample repository to a verified end, on loopback, with nothing but this machine.')
    .addOption(new Option('--scenario <name>', 'which way to show').choices(['patch', 'pr', 'all']).default('all'))
    .option('--keep', 'stay up afterwards, for you to comment /auto yourself')
    .option('--json', 'print one JSON object and nothing else')
    .action(demo);
}

async function demo(flags: DemoFlags): Promise<void> {
  const startedAt = systemClock.now();
  const claude = chosenClaude();
  if (claude === null || !existsSync(claude))
    throw new CommandFailure('there is no claude program; run `npm ci`, or set SLUICE_CLAUDE to its path');
  const narrator = narratorFor(flags);
  const troubles: string[] = [];
  const tracker: StoryTracker = { story: EMPTY_STORY, issue: 0 };
  const onSwap = ({ subject, next }: Swap): void => {
    if (subject.ref.number !== tracker.issue) return;
    tracker.story = advanceStory(tracker.story, next, systemClock.now());
    narrator.show(tracker.story);
  };
  const { signal: stop, forget } = interruption();
  const parts = { claude: realpathSync(claude), product: PRODUCT, path: programPath(), onSwap };
  const world = await openDemoWorld({ ...parts, log: troubleLog(troubles) });
  try {
    const name = claudeName(parts.claude);
    narrator.say(openingLine(world, name));
    const played = await playAll(flags, { world, narrator, tracker, stop });
    const problems = [
      ...played.flatMap((one) => one.problems.map((problem) => `${one.report.name}: ${problem}`)),
      ...world.defects(),
    ];
    const ok = problems.length === 0 && played.length > 0;
    const scenarios = played.map(({ report }) => report);
    const durationMs = systemClock.now() - startedAt;
    const { redis, sandbox } = world.service;
    if (flags.json === true)
      process.stdout.write(`${JSON.stringify({ ok, scenarios, redis, sandbox, claude: name, durationMs })}\n`);
    for (const line of summary(scenarios, durationMs)) narrator.say(line);
    if (!ok) complain(problems, troubles);
    if (flags.keep === true && !stop.aborted) await stayUp(world, flags, stop);
  } finally {
    await world.close();
    forget();
  }
}

async function playAll(
  { scenario }: DemoFlags,
  parts: {
    readonly world: DemoWorld;
    readonly narrator: Narrator;
    readonly tracker: StoryTracker;
    readonly stop: AbortSignal;
  },
): Promise<readonly Played[]> {
  const played: Played[] = [];
  for (const one of SCENARIOS.filter(({ name }) => scenario === 'all' || scenario === name)) {
    if (parts.stop.aborted) break;
    const late = AbortSignal.timeout(DEADLINE_MS);
    played.push(await play(one, { ...parts, signal: AbortSignal.any([parts.stop, late]) }));
  }
  return played;
}

function narratorFor({ json }: DemoFlags): Narrator {
  if (json === true) return SILENT;
  const { stdout } = process;
  const stage = {
    write: (text: string) => void stdout.write(text),
    now: () => systemClock.now(),
    // Some terminals do not say, or say 0.
    columns: () => Math.max(stdout.columns || WIDTH, 40),
  };
  return stdout.isTTY ? tableNarrator(stage) : plainNarrator(stage);
}

function openingLine({ service, pocket }: DemoWorld, claude: string): string {
  const sandbox =
    service.noSandboxBecause === null
      ? service.sandbox
      : `none, so agents run with your rights (loopback only): ${service.noSandboxBecause}`;
  const places = `Pocket GitHub ${pocket.urls.html} · queue on ${service.redis} · claude ${claude}`;
  return `${places} · sandbox ${sandbox}\nWhat runs for an issue is held by: ${guardsText(service.guards)}`;
}

function summary(scenarios: readonly ScenarioReport[], durationMs: number): readonly string[] {
  return [
    '',
    ...scenarios.flatMap((one) => [
      `${one.name}: issue #${one.issue} (${one.size ?? 'no size'}) ${one.final.state}, ${one.final.labels.join(' ')}`,
      `  ${one.phases.map(({ phase, ms, attempts }) => `${phase} ${formatDuration(ms)}${attempts > 1 ? ` (${attempts}×)` : ''}`).join(' · ')}`,
      `  ${one.pr === null ? 'no pull request' : `pull request #${one.pr}`}, ${one.commitsOnBase} commit on base, ` +
        `${one.githubRequests} GitHub requests, token mints ${one.tokenMints}, ${one.gitOperations} git operations, ` +
        `${one.webhooks} webhooks, $${one.costUsd.toFixed(2)} (scripted)`,
    ]),
    `Took ${formatDuration(durationMs)}.`,
  ];
}

function complain(problems: readonly string[], troubles: readonly string[]): void {
  process.exitCode = 1;
  process.stderr.write(
    `sluice: the demo did not end as it should:\n${problems.map((line) => `  - ${line}\n`).join('')}`,
  );
  if (troubles.length > 0)
    process.stderr.write(`The service logged:\n${troubles.map((line) => `  ${line}\n`).join('')}`);
}

async function stayUp(
  { pocket, repository, service, apiToken }: DemoWorld,
  { json }: DemoFlags,
  stop: AbortSignal,
): Promise<void> {
  const page = `${pocket.urls.html}/${repository}`;
  const words =
    `\nStill up. Open ${page}, pick an issue, and comment /auto as wren; Ctrl-C ends it.\n` +
    `The API is at ${service.url}/api, its token is ${apiToken}.\n`;
  (json === true ? process.stderr : process.stdout).write(words);
  await waitForAbort(stop);
}

const KEPT_TROUBLES = 50;

/** Collects warnings and errors, to show them if the outcome is wrong. */
function troubleLog(troubles: string[]): Log {
  const note = (level: string) => (fields: object, message: string) => {
    const text = JSON.stringify(fields, (_, value: unknown) =>
      value instanceof Error ? (value.stack ?? value.message) : value,
    );
    troubles.push(`${level}: ${message} ${text}`);
    troubles.splice(0, troubles.length - KEPT_TROUBLES);
  };
  return { info: () => undefined, warn: note('warn'), error: note('error') };
}
