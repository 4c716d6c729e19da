import { z } from 'zod';
import { OUTCOME_KINDS, type RunSummary } from './run-summary.js';

/** Schema of an agent run's figures, for every place that reads them back. */
export const runSummarySchema: z.ZodType<RunSummary> = z.strictObject({
  outcome: z.enum(OUTCOME_KINDS),
  model: z.string().nullable(),
  turns: z.number(),
  ms: z.number(),
  waitedMs: z.number(),
  costUsd: z.number(),
  tokens: z.strictObject({ input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() }),
  steps: z.number(),
  resumes: z.number(),
  compactions: z.number(),
  processes: z.number(),
  maxRssMb: z.number(),
});
