import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { isAlive, liveProcess, processesWith, signalProcess } from './proc.js';

/** Every process of a run inherits this variable, and is found by it wherever it moves. */
export const RUN_TAG = 'SLUICE_RUN_TAG';

/** Names a run and the service that owns it: the namespace its number counts in, the number, when it started. */
export function newRunTag(): string {
  const startTime = liveProcess(process.pid)?.startTime ?? '0';
  return [processNamespace(), process.pid, startTime, randomUUID()].join('.');
}

/** The runs of one sandbox that are going on, by their tags. */
export class RunTags {
  readonly #running = new Set<string>();

  /** A tag for a run that begins, and its environment with it. */
  begin(env: Readonly<Record<string, string>>): {
    readonly tag: string;
    readonly entry: string;
    readonly env: Readonly<Record<string, string>>;
  } {
    const tag = newRunTag();
    this.#running.add(tag);
    return { tag, entry: `${RUN_TAG}=${tag}`, env: { ...env, [RUN_TAG]: tag } };
  }

  end(tag: string): void {
    this.#running.delete(tag);
  }

  /** Ends tagged processes whose run is over, and returns how many. */
  sweep(): number {
    return sweepTagged((tag) => this.#running.has(tag));
  }
}

/** Rounds after which a sweep leaves the rest to the next one. */
const MAX_ROUNDS = 5;

/** Ends processes of runs whose service is gone, and of our own runs that are over. Never one without a tag. */
export function sweepTagged(isRunning: (tag: string) => boolean): number {
  const ended = new Set<number>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { found } = processesWith((entry) => isLeftover(entry, isRunning));
    for (const pid of found) {
      ended.add(pid);
      signalProcess(pid, 'SIGKILL');
    }
    if (found.length === 0) break;
  }
  return ended.size;
}

function isLeftover(entry: string, isRunning: (tag: string) => boolean): boolean {
  if (!entry.startsWith(`${RUN_TAG}=`)) return false;
  const tag = entry.slice(RUN_TAG.length + 1);
  const [namespace, pid, startTime, run, ...more] = tag.split('.');
  if (startTime === undefined || run === undefined || more.length > 0) return false;
  // Pids of another namespace name other processes: those are not ours to judge.
  if (namespace !== processNamespace()) return false;
  if (Number(pid) === process.pid && startTime === liveProcess(process.pid)?.startTime) return !isRunning(tag);
  return !isAlive({ pid: Number(pid), startTime });
}

function processNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
