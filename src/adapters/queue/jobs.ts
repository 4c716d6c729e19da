import { randomUUID } from 'node:crypto';
import type { JobsOptions } from 'bullmq';
import { z } from 'zod';
import type { GitHubEvent } from '../../domain/intent/github-event.js';
import { formatIssue, type IssueRef, parseIssue } from '../../domain/issue/ids.js';
import { AGENT_PHASES } from '../../domain/issue/phase.js';
import type { Delivery } from '../../ports/inbox.js';
import type { PhaseJob } from '../../ports/queue.js';

/** What each job carries. Enough to know where to look, never what to do there. */
export interface JobData {
  readonly wake: IssueRef;
  readonly phase: PhaseJob;
  /** What GitHub told us, until it has been heard. */
  readonly event: Delivery;
}

export type JobName = keyof JobData;

interface JobKind<Data> {
  readonly schema: z.ZodType<Data>;
  /** What log lines say it is about. */
  readonly about: (data: Data) => object;
  readonly options: (data: Data) => JobsOptions;
  /** What becomes of a job that runs while the service stops: `return` puts it back for the next start. */
  readonly onStop: 'finish' | 'return';
  /** What becomes of a job that failed: `forget` what is found again by looking at GitHub, `retry` as often as its options say. */
  readonly onFailure: 'forget' | 'retry';
  /** How often a job may be found with its process gone. */
  readonly maxStalls: number;
}

/** Redis may hold anything: what cannot be an issue on GitHub is none, so that no name leads elsewhere as part of a path. */
const issueRef = z
  .object({ owner: z.string(), repo: z.string(), number: z.number() })
  .refine(({ owner, repo, number }) => {
    const named = parseIssue(formatIssue({ owner, repo, number }));
    return named?.owner === owner && named.repo === repo && named.number === number;
  });

const actor = z.object({ id: z.number(), login: z.string(), kind: z.enum(['human', 'bot']) });

const event: z.ZodType<GitHubEvent> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('comment'),
    ref: issueRef,
    isPull: z.boolean(),
    commentId: z.string().min(1),
    at: z.number(),
    author: actor,
    body: z.string(),
  }),
  z.object({ kind: z.literal('touched'), ref: issueRef }),
]);

/** GitHub delivers nothing again after three days. */
const REMEMBERED_MS = 72 * 60 * 60_000;
const EVENT_TRIES = 8;
const EVENT_PAUSE_MS = 1_000;
/** An event that ends every process that hears it must not be heard for ever. */
const EVENT_STALLS = 3;

/** Every job there is. Each kind has a queue of its own, called like it. */
export const JOBS: { readonly [Name in JobName]: JobKind<JobData[Name]> } = {
  wake: {
    schema: issueRef,
    about: (ref) => ({ issue: formatIssue(ref) }),
    options: (ref) => oneAtATime(ref),
    onStop: 'finish',
    onFailure: 'forget',
    // A job found stalled is simply delivered again: what it may still do is settled by the epoch in the state ref.
    maxStalls: Number.MAX_SAFE_INTEGER,
  },
  phase: {
    schema: z.object({ ref: issueRef, phase: z.enum(AGENT_PHASES) }),
    about: ({ ref }) => ({ issue: formatIssue(ref) }),
    options: ({ ref }) => oneAtATime(ref),
    onStop: 'return',
    onFailure: 'forget',
    maxStalls: Number.MAX_SAFE_INTEGER,
  },
  event: {
    schema: z.object({ id: z.string().min(1), event }),
    // Never what a comment says: it may be from a private repository.
    about: ({ id, event }) => ({ delivery: id, event: event.kind, issue: formatIssue(event.ref) }),
    options: ({ id }) => ({
      jobId: randomUUID(),
      attempts: EVENT_TRIES,
      backoff: { type: 'exponential', delay: EVENT_PAUSE_MS, jitter: 0.5 },
      removeOnComplete: true,
      removeOnFail: true,
      // With a time to live the id outlasts the job: what GitHub delivers again is known.
      deduplication: { id, ttl: REMEMBERED_MS },
    }),
    onStop: 'finish',
    onFailure: 'retry',
    maxStalls: EVENT_STALLS,
  },
};

/** At most one running and one waiting per issue; one attempt, no delay, nothing kept afterwards. */
function oneAtATime(issue: IssueRef): JobsOptions {
  return {
    // BullMQ's own ids start at 1 again after FLUSHALL and would meet those of jobs that still run.
    jobId: randomUUID(),
    attempts: 1,
    removeOnComplete: true,
    removeOnFail: true,
    deduplication: { id: formatIssue(issue), keepLastIfActive: true },
  };
}

/** An issue as a member of the due-set. */
export function formatDue({ owner, repo, number }: IssueRef): string {
  return JSON.stringify({ owner, repo, number });
}

/** `null` when it is not one of ours. */
export function parseDue(member: string): IssueRef | null {
  try {
    return issueRef.parse(JSON.parse(member));
  } catch {
    return null;
  }
}
