import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Damage, type Moment, recover, type RecoveredRun, type UndisturbedRun } from './crash-run.js';
import type { CrashScenario } from './crash-scenario.js';
import type { CrashWorld } from './crash-world.js';
import type { EndState } from './single-issue-fixture.js';

export type QueueFate = 'kept' | 'emptied';

/** Moments that look the same from outside: one of them stands for all. */
export interface Point {
  readonly moment: Moment;
  /** Names of all the moments it stands for. */
  readonly names: readonly string[];
  readonly queue: QueueFate;
}

/** What a recovery came to that should not have happened. */
export interface Failure {
  readonly point: Point;
  readonly end: EndState;
  readonly lost: readonly string[];
  /** Agents started beyond what the story takes. */
  readonly extraRuns: number;
  /** The last things the recovered instance said. */
  readonly said: readonly string[];
}

/** Every moment of a run; those nobody could tell apart from outside, once. */
export function pointsOf({ moments }: UndisturbedRun, queue: QueueFate): readonly Point[] {
  const groups = new Map<string, Moment[]>();
  for (const moment of moments) {
    const { frozen, feed, hints, accountStore } = moment;
    const redis = [moment.queue, hints, [...accountStore.conditions]];
    const key = JSON.stringify([
      frozen.fingerprint,
      feed.events.length,
      feed.delivered,
      ...(queue === 'kept' ? redis : []),
    ]);
    groups.set(key, [...(groups.get(key) ?? []), moment]);
  }
  // The last one stands for all: the most agents have been paid for by then.
  return [...groups.values()].flatMap((group) => {
    const moment = group.at(-1);
    return moment === undefined ? [] : [{ moment, names: group.map(({ name }) => name), queue }];
  });
}

/**
 * As few points as show every kind of boundary: before, within and after each call there is, and at rest. Which of those that would
 * do is the seed's choice.
 */
export function sampleOf(points: readonly Point[], seed: number): readonly Point[] {
  const seen = new Set<string>();
  const chosen = shuffled(points, seed).filter(({ names }) => {
    const news = names.map(kindOf).filter((kind) => !seen.has(kind));
    for (const kind of news) seen.add(kind);
    return news.length > 0;
  });
  return points.filter((point) => chosen.includes(point));
}

/** `before 12 states.swap` is of the kind `before states.swap`. */
const kindOf = (name: string): string => name.replace(/ \d+/, '');

function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  const place = (index: number): string => createHash('sha256').update(`${seed} ${index}`).digest('hex');
  return items
    .map((item, index) => ({ item, at: place(index) }))
    .toSorted((one, other) => (one.at < other.at ? -1 : 1))
    .map(({ item }) => item);
}

/** Dies at each of these points, goes on with a new instance, and tells what did not end as it should. */
export async function* failuresAt(
  {
    world,
    scenario,
    run,
  }: { readonly world: CrashWorld; readonly scenario: CrashScenario; readonly run: UndisturbedRun },
  points: readonly Point[],
  damage: Damage = {},
): AsyncGenerator<Failure> {
  for (const point of points) {
    const recovered = await recover(world, scenario, point.moment, { queue: point.queue, ...damage });
    if (!isAsWanted(recovered, scenario, run)) yield failureOf(recovered, point, run);
  }
}

/** The phase that was cut may be run once more; everything else only as often as ever. */
const EXTRA_RUNS = 1;

function isAsWanted(
  { end, lost, runs }: RecoveredRun,
  { wanted, withoutWork = wanted }: CrashScenario,
  run: UndisturbedRun,
): boolean {
  const isRight = [wanted, withoutWork].some((right) => isDeepStrictEqual(end, right));
  return isRight && lost.length === 0 && runs <= run.runs + EXTRA_RUNS;
}

function failureOf({ end, lost, runs, log }: RecoveredRun, point: Point, run: UndisturbedRun): Failure {
  const said = log.lines.map(({ message, fields }) => `${message} ${JSON.stringify(fields)}`).slice(-25);
  return { point, end, lost, extraRuns: runs - run.runs, said };
}

export const formatPoint = ({ names, queue }: Point): string => `killed ${names.join(' = ')}, queue ${queue}`;
