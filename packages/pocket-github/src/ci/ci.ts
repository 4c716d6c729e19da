import { AsyncResource } from 'node:async_hooks';
import type { CiJob } from '../world/model.js';
import type { Reaction, World } from '../world/world.js';
import { type CiScript, outcomeOf } from './ci-script.js';
import { type Head, jobsWantedBy } from './ci-trigger.js';
import type { Timer } from './job-process.js';
import { JobQueue } from './job-queue.js';
import { attemptsOf, execute, factsOf, openRun, report, resultOf } from './job-run.js';

export interface CiOptions {
  readonly world: World;
  /** How jobs end that are not really run. */
  readonly scripts: readonly CiScript[];
  /** For the deadlines of commands. */
  readonly timer?: Timer;
}

/** CI of all repositories: answers pushed heads with check runs. */
export interface Ci {
  /** To be registered with the world. */
  readonly reaction: Reaction;
  /** No job is running or about to; those queued forever do not count. */
  isIdle(): boolean;
  idle(): Promise<void>;
  /** Ends every command. Runs under way stay as they are. */
  close(): Promise<void>;
}

const JOBS_AT_A_TIME = 2;

const realTimer: Timer = (ms, task) => {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
};

export function startCi({ world, scripts, timer = realTimer }: CiOptions): Ci {
  const queue = new JobQueue(JOBS_AT_A_TIME);
  const closing = new AbortController();
  const defects: unknown[] = [];
  // Jobs outlive the request that caused them and must not inherit what it holds.
  const ownScope = new AsyncResource('PocketCi');

  const start = async (head: Head, job: CiJob): Promise<void> => {
    const run = await openRun(world, head, job);
    const attempt = attemptsOf(world, run);
    const outcome = scripts.length === 0 ? 'run' : outcomeOf(scripts, await factsOf(world, head, run, attempt));
    if (outcome === 'queued-forever') return;
    const work = async (): Promise<void> => {
      await report(world, run, { status: 'in_progress', startedAt: world.now() });
      const result = await resultOf(outcome, attempt, () => execute(world, head, job, timer, closing.signal));
      if (result !== null && !closing.signal.aborted) await report(world, run, result);
    };
    ownScope.runInAsyncScope(() => queue.add(() => work().catch((error: unknown) => void defects.push(error))));
  };

  return {
    reaction: async (_, event) => {
      const wanted = jobsWantedBy(world, event);
      for (const job of wanted?.jobs ?? []) if (wanted !== null) await start(wanted.head, job);
    },
    isIdle: () => queue.isIdle(),
    idle: () => queue.idle(),
    close: async () => {
      closing.abort();
      queue.clear();
      await queue.idle();
      if (defects.length > 0) throw new AggregateError(defects, 'CI had defects');
    },
  };
}
