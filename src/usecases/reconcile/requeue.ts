import { createLru } from '../../cache/lru.js';
import { formatInstant } from '../../domain/issue/instant.js';
import { formatIssue, type IssueRef } from '../../domain/issue/ids.js';
import { GitHostError } from '../../ports/git-host.js';
import { GitHubError } from '../../ports/github.js';
import type { Engine } from '../engine.js';

/** Work on an issue that ends well, or is taken up again. */
export type RequeueingTask = (ref: IssueRef, task: () => Promise<void>) => Promise<void>;

/** Longer than GitHub's answers lag behind: what was written meanwhile is visible. */
const FIRST_PAUSE_MS = 15_000;
/** Afterwards it is left to the sweep, which comes by every ten minutes. */
const MOST_TRIES = 5;
/** Issues that failed lately. One that falls out is tried a few times more. */
const MOST_ISSUES = 5_000;

/** Looks again when GitHub may be asked again, or after a while when it did not answer. Other failures are somebody else's. */
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
      // A time GitHub named itself is no failed try.
      if (named === null) tries.set(issue, count);
      if (named === null && count > MOST_TRIES) {
        tries.delete(issue);
        throw error;
      }
      const until = named ?? clock.now() + FIRST_PAUSE_MS * 2 ** (count - 1);
      log.warn({ issue, until: formatInstant(until), why: error.message }, 'looking again later');
      await queue.wakeAt(ref, until);
    }
  };
}

function isTransient(error: unknown): error is GitHubError | GitHostError {
  return (error instanceof GitHubError || error instanceof GitHostError) && error.retry === 'transient';
}
