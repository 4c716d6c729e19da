import { createLru } from '../../cache/lru.js';
import { formatInstant } from '../../domain/issue/instant.js';
import { formatIssue, type IssueRef } from '../../domain/issue/ids.js';
import { GitHostError } from '../../ports/git-host.js';
import { GitHubError } from '../../ports/github.js';
import type { Engine } from '../engine.js';

/** Runs work on an issue; after a transient failure the issue is requeued. */
export type RequeueingTask = (ref: IssueRef, task: () => Promise<void>) => Promise<void>;

/** Longer than GitHub's reads lag, so that the next read shows what was written. */
const FIRST_PAUSE_MS = 15_000;
/** After this many tries the sweep takes over, which reads every ten minutes. */
const MOST_TRIES = 5;
/** Issues that failed lately. One that is evicted gets a few more tries. */
const MOST_ISSUES = 5_000;

/** Requeues for the time a rate limit names, or after a pause when GitHub did not answer. Other errors are passed on. */
export function requeueOnTransient({ queue, clock, log }: Pick<Engine, 'queue' | 'clock' | 'log'>): RequeueingTask {
  const tries = createLru<number>(MOST_ISSUES);
  return async (ref, task) => {
    const issue = formatIssue(ref);
    try {
      await task();
      tries.delete(issue);
    } catch (error) {
      if (!isTransient(error)) throw error;
      const count = (tries.get(issue) ?? 0) + 1;
      const named = error instanceof GitHubError ? error.until : null;
      // A wait named by GitHub is not a failed try.
      if (named === null) tries.set(issue, count);
      if (named === null && count > MOST_TRIES) {
        tries.delete(issue);
        throw error;
      }
      const until = named ?? clock.now() + FIRST_PAUSE_MS * 2 ** (count - 1);
      log.warn({ issue, until: formatInstant(until), why: error.message }, 'requeued for later');
      await queue.wakeAt(ref, until);
    }
  };
}

function isTransient(error: unknown): error is GitHubError | GitHostError {
  return (error instanceof GitHubError || error instanceof GitHostError) && error.retry === 'transient';
}
