import { randomUUID } from 'node:crypto';
import type { JobsOptions } from 'bullmq';
import { z } from 'zod';
import type { GitHubEvent } from '../../domain/intent/github-event.js';
import { formatIssue, type IssueRef, parseIssue } from '../../domain/issue/ids.js';
import { AGENT_PHASES } from '../../domain/issue/phase.js';
import type { Delivery } from '../../ports/inbox.js';
import type { PhaseJob } from '../../ports/queue.js';

/** The data of each job: which issue to read, never what to do. */
export interface JobData {
  readonly wake: IssueRef;
  readonly phase: PhaseJob;
  /** An event from GitHub, until it was handled. */
  readonly event: Delivery;
}

export type JobName = keyof JobData;

interface JobKind<Data> {
  readonly schema: z.ZodType<Data>;
  /** Log fields that identify the job. */
  readonly about: (data: Data) => object;
  readonly options: (data: Data) => JobsOptions;
  /** What happens to a running job when the service stops: `return` puts it back for the next start. */
  readonly onStop: 'finish' | 'return';
  /** What happens to a failed job: `forget` if a read of GitHub finds it again, `retry` as its options say. */
  readonly onFailure: 'forget' | 'retry';
  /** How often a job may lose its process. */
  readonly maxStalls: number;
}

/** Redis may hold anything. Only valid issue names are accepted, so that no name can change a path. */
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

/** GitHub does not redeliver after three days. */
const REMEMBERED_MS = 72 * 60 * 60_000;
const EVENT_TRIES = 8;
const EVENT_PAUSE_MS = 1_000;
/** An event that crashes every process must not be retried for ever. */
const EVENT_STALLS = 3;

/** All kinds of jobs. Each has its own queue of that name. */
export const JOBS: { readonly [Name in JobName]: JobKind<JobData[Name]> } = {
  wake: {
    schema: issueRef,
    about: (ref) => ({ issue: formatIssue(ref) }),
    options: (ref) => oneAtATime(ref),
    onStop: 'finish',
    onFailure: 'forget',
    // A stalled job is delivered again. If the old one still runs, the epoch in the state ref decides.
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
    // Without the comment's text, which may be from a private repository.
    about: ({ id, event }) => ({ delivery: id, event: event.kind, issue: formatIssue(event.ref) }),
    options: ({ id }) => ({
      jobId: randomUUID(),
      attempts: EVENT_TRIES,
      backoff: { type: 'exponential', delay: EVENT_PAUSE_MS, jitter: 0.5 },
      removeOnComplete: true,
      removeOnFail: true,
      // With a ttl the id outlives the job, so that a redelivery is recognised.
      deduplication: { id, ttl: REMEMBERED_MS },
    }),
    onStop: 'finish',
    onFailure: 'retry',
    maxStalls: EVENT_STALLS,
  },
};

/** At most one running and one waiting job per issue; one attempt, no delay, nothing kept. */
function oneAtATime(issue: IssueRef): JobsOptions {
  return {
    // BullMQ's own ids restart at 1 after FLUSHALL and would collide with running jobs.
    jobId: randomUUID(),
    attempts: 1,
    removeOnComplete: true,
    removeOnFail: true,
    deduplication: { id: formatIssue(issue), keepLastIfActive: true },
  };
}

/** Formats an issue as a member of the due set. */
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
