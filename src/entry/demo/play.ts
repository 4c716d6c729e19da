import { setTimeout } from 'node:timers/promises';
import type { RequestEntry } from '#pocket-github';
import { waitForAbort } from '../cli/interruption.js';
import type { Narrator } from './narrator.js';
import { type Outcome, personAt, problemsWith } from './person.js';
import { type Story, EMPTY_STORY } from './story.js';
import type { DemoWorld } from './world.js';

/** An issue of the sample repository and its expected route. */
export interface Scenario {
  readonly name: 'patch' | 'pr';
  readonly issue: number;
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'patch', issue: 1 },
  { name: 'pr', issue: 2 },
];

/** The `--json` report of one scenario. */
export interface ScenarioReport {
  readonly name: string;
  readonly issue: number;
  readonly size: string | null;
  readonly route: string | null;
  readonly phases: readonly { readonly phase: string; readonly ms: number; readonly attempts: number }[];
  readonly pr: number | null;
  readonly commitsOnBase: number;
  /** REST and GraphQL requests, without those about tokens and without the sweep's, which runs in any case. */
  readonly githubRequests: number;
  readonly tokenMints: number;
  /** Runs of git that went over the wire. */
  readonly gitOperations: number;
  readonly requestsByOperation: Readonly<Record<string, number>>;
  readonly webhooks: number;
  readonly costUsd: number;
  readonly final: { readonly state: string; readonly labels: readonly string[] };
}

export interface Played {
  readonly report: ScenarioReport;
  /** Why the outcome is not the promised one. */
  readonly problems: readonly string[];
}

/** Follows states during a scenario. */
export interface StoryTracker {
  story: Story;
  issue: number;
}

export interface PlayParts {
  readonly world: DemoWorld;
  readonly narrator: Narrator;
  readonly tracker: StoryTracker;
  /** Ends every wait: at the deadline or Ctrl-C. */
  readonly signal: AbortSignal;
}

const POLL_MS = 200;

/** A person comments `/auto`; everything after that is the service's doing. */
export async function play(scenario: Scenario, parts: PlayParts): Promise<Played> {
  const { name, issue } = scenario;
  const { world, narrator, tracker, signal } = parts;
  const { journal, urls } = world.pocket;
  const person = personAt(`${urls.api}/repos/${world.repository}`, world.token);
  const [before = ''] = await person.commits();
  const { title } = await person.read(issue);
  const seq = journal.lastSeq();
  Object.assign(tracker, { issue, story: EMPTY_STORY });
  narrator.begin(`${world.repository}#${issue} ${title}`);
  try {
    await person.comment(issue, '/auto');
    while (!signal.aborted && !isAtRest(await person.read(issue))) await pause(POLL_MS, signal);
    await Promise.race([quiet(world), waitForAbort(signal)]);
    const outcome = await person.read(issue);
    const commits = await person.commits();
    const landed = commits.slice(0, Math.max(0, commits.indexOf(before)));
    const cut = signal.aborted ? ['it was cut short, by its deadline or by you'] : [];
    return {
      report: report(scenario, parts, { outcome, landed: landed.length, seq }),
      problems: [...cut, ...problemsWith(outcome, landed, name)],
    };
  } finally {
    narrator.end();
  }
}

const isAtRest = ({ state, labels }: Outcome): boolean =>
  state === 'closed' || labels.some((label) => /^auto\/(needs-human|failed|paused)$/.test(label));

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}

/** Waits until there are neither webhooks nor work: each can cause the other. */
async function quiet({ pocket, service }: DemoWorld): Promise<void> {
  await pocket.settle();
  await service.settled();
  await pocket.settle();
}

function report(
  { name, issue }: Scenario,
  { world, tracker }: PlayParts,
  { outcome, landed, seq }: { readonly outcome: Outcome; readonly landed: number; readonly seq: number },
): ScenarioReport {
  const { size, route, chapters, costUsd } = tracker.story;
  const { journal } = world.pocket;
  const ours = journal
    .requests(seq)
    .filter((request) => (request.tokenKind === 'app' || request.tokenKind === 'installation') && !isSweeping(request));
  return {
    name,
    issue,
    size,
    route: route?.kind ?? null,
    phases: chapters.filter(({ attempts }) => attempts > 0).map(({ phase, ms, attempts }) => ({ phase, ms, attempts })),
    pr: outcome.pulls[0]?.number ?? null,
    commitsOnBase: landed,
    githubRequests: ours.filter(({ surface, tokenKind }) => surface !== 'git' && tokenKind === 'installation').length,
    tokenMints: ours.filter(({ operation }) => operation.endsWith('/access_tokens')).length,
    gitOperations: ours.filter(({ surface, operation }) => surface === 'git' && operation.endsWith(' advertise'))
      .length,
    requestsByOperation: countBy(ours),
    webhooks: journal.deliveries(seq).length,
    costUsd: Math.round(costUsd * 1e6) / 1e6,
    final: { state: outcome.state, labels: outcome.labels },
  };
}

const SWEEPING = /^Sweep|^GET \/(installation\/repositories|app\/installations|app\/hook\/deliveries)$/;

export const isSweeping = ({ operation }: RequestEntry): boolean => SWEEPING.test(operation);

function countBy(requests: readonly RequestEntry[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { surface, operation } of requests) {
    const key = `${surface} ${operation}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].toSorted(([a], [b]) => a.localeCompare(b)));
}
