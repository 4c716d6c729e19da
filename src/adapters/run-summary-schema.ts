import { z } from 'zod';
import { OUTCOME_KINDS, type RunSummary } from '../domain/run-record.js';

/** The figures of an agent run, wherever they are read back. */
export const runSummarySchema: z.ZodType<RunSummary> = z.strictObject({
  outcome: z.enum(OUTCOME_KINDS),
  model: z.string().nullable(),
  turns: z.number(),
  ms: z.number(),
  costUsd: z.number(),
});
