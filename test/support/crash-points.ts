import { isDeepStrictEqual } from 'node:util';
import type { Size } from '../../src/domain/size.js';
import { type Damage, type Moment, recover, type Undisturbed } from './crash-scenario.js';
import type { CrashWorld, EndState } from './crash-world.js';

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
  readonly point: string;
  readonly end: EndState;
  readonly lost: readonly string[];
  /** The last things the recovered instance said. */
  readonly said: readonly string[];
}

/** Every moment of a run; those nobody could tell apart from outside, once. */
export function pointsOf({ moments }: Undisturbed, queue: QueueFate): readonly Point[] {
  const groups = new Map<string, Moment[]>();
  for (const moment of moments) {
    const { frozen, heard } = moment;
    const key = JSON.stringify([frozen.fingerprint, heard, ...(queue === 'kept' ? [moment.queue] : [])]);
    groups.set(key, [...(groups.get(key) ?? []), moment]);
  }
  return [...groups.values()].flatMap(([moment, ...others]) =>
    moment === undefined ? [] : [{ moment, names: [moment, ...others].map(({ name }) => name), queue }],
  );
}

/** Every so many of them, beginning at a place the seed says. */
export function sample<T>(all: readonly T[], every: number, seed: number): readonly T[] {
  return all.filter((_, index) => (index + seed) % every === 0);
}

/** Dies at each of these points, goes on with a new instance, and tells what did not end as it should. */
export async function failuresAt(
  world: CrashWorld,
  points: readonly Point[],
  { wanted, size, ...damage }: { readonly wanted: EndState; readonly size: Size } & Damage,
  { stopAtFirst = false }: { readonly stopAtFirst?: boolean } = {},
): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  for (const { moment, names, queue } of points) {
    if (stopAtFirst && failures.length > 0) break;
    const { end, lost, log } = await recover(world, moment, { size, queue, ...damage });
    if (isDeepStrictEqual(end, wanted) && lost.length === 0) continue;
    const said = log.lines.map(({ message, fields }) => `${message} ${JSON.stringify(fields)}`).slice(-25);
    failures.push({ point: `killed ${names.join(' = ')}, queue ${queue}`, end, lost, said });
  }
  return failures;
}
