import { z } from 'zod';
import type { RunChange } from './runs.js';

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const annotation = z
  .strictObject({
    path: z.string(),
    start_line: z.number().int(),
    end_line: z.number().int(),
    start_column: z.number().int().optional(),
    end_column: z.number().int().optional(),
    annotation_level: z.enum(['notice', 'warning', 'failure']),
    message: z.string(),
    title: z.string().optional(),
    raw_details: z.string().optional(),
  })
  .transform((given) => ({
    path: given.path,
    startLine: given.start_line,
    endLine: given.end_line,
    startColumn: given.start_column ?? null,
    endColumn: given.end_column ?? null,
    level: given.annotation_level,
    message: given.message,
    title: given.title ?? null,
    rawDetails: given.raw_details ?? null,
  }));

const output = z.strictObject({
  title: z.string().optional(),
  summary: z.string(),
  text: z.string().optional(),
  annotations: z.array(annotation).optional(),
});

const members = {
  details_url: z.string().optional(),
  external_id: z.string().optional(),
  status: z.enum(['queued', 'in_progress', 'completed']).optional(),
  started_at: time.optional(),
  // `stale` and `startup_failure` are for GitHub itself to set.
  conclusion: z
    .enum(['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'timed_out'])
    .optional(),
  completed_at: time.optional(),
  output: output.optional(),
};

export const newRunBody = z.object({ name: z.string().min(1), head_sha: z.string(), ...members });
export const runChangeBody = z.object({ name: z.string().min(1).optional(), ...members });

/** The body of a request in our own words. */
export function runChange(body: z.infer<typeof runChangeBody>): RunChange {
  return {
    name: body.name,
    status: body.status,
    conclusion: body.conclusion,
    externalId: body.external_id,
    detailsUrl: body.details_url,
    startedAt: body.started_at,
    completedAt: body.completed_at,
    output: body.output,
  };
}
