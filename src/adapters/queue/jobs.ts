import { randomUUID } from 'node:crypto';
import type { JobsOptions } from 'bullmq';
import { z } from 'zod';
import { formatIssue, type IssueRef } from '../../domain/ids.js';
import { AGENT_PHASES } from '../../domain/phase.js';
import type { PhaseJob } from '../../ports/queue.js';

/** What each job carries. Enough to know where to look, never what to do there. */
export interface JobData {
  readonly wake: IssueRef;
  readonly phase: PhaseJob;
}

export type JobName = keyof JobData;

interface JobKind<Data> {
  readonly schema: z.ZodType<Data>;
  /** Jobs of one issue do not pile up: at most one runs and one waits. */
  readonly issue: (data: Data) => IssueRef;
  /** What becomes of a job that runs while the service stops: `return` puts it back for the next start. */
  readonly onStop: 'finish' | 'return';
}

const issueRef = z.object({
  owner: z.string().min(1).max(100),
  repo: z.string().min(1).max(100),
  number: z.int().positive(),
});

/** Every job there is. Each kind has a queue of its own, called like it. */
export const JOBS: { readonly [Name in JobName]: JobKind<JobData[Name]> } = {
  wake: { schema: issueRef, issue: (ref) => ref, onStop: 'finish' },
  phase: {
    schema: z.object({ ref: issueRef, phase: z.enum(AGENT_PHASES) }),
    issue: ({ ref }) => ref,
    onStop: 'return',
  },
};

/** One attempt, no delay, nothing kept afterwards: what failed is found again by looking at GitHub. */
export function jobOptions(issue: IssueRef): JobsOptions {
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
