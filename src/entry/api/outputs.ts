import { z } from 'zod';
import { activityShape, entryShape, eventShapes } from '../../adapters/events/event-schema.js';
import { runSummarySchema } from '../../domain/agent/run-summary-schema.js';
import { VERDICTS } from '../../domain/criteria/criterion.js';
import { type HaltCode, HALT_CODES } from '../../domain/issue/halt-codes.js';
import { AGENT_PHASES, PHASES } from '../../domain/issue/phase.js';
import { ACTIVITIES } from '../../domain/events/run-event.js';
import { SIZES } from '../../domain/issue/size.js';
import { TRANSITION_KINDS } from '../../domain/state/transition-kind.js';
import type { RunPreview } from '../../usecases/intent/preview-run.js';
import { REPORT_STATUSES, type RunReport } from '../../usecases/report/run-report.js';
import { runOptions } from './inputs.js';

/* Schemas of answers. Used to describe and check them, not to build them. */

const text = z.string();
const moment = z.iso.datetime();
const phase = z.enum(PHASES);
const count = z.int().nonnegative();
const issue = z.strictObject({ owner: text, repo: text, number: z.int().positive() });
const haltState = z.enum(['needs-human', 'failed', 'paused']);
const errorCodes = Object.keys(HALT_CODES) as HaltCode[];

export const errorBody = z
  .strictObject({
    error: z.strictObject({
      code: text.describe('For programs: never changes its meaning.'),
      message: text.describe('What happened.'),
      remedy: text.describe('What to do about it.'),
      reasons: z.array(text).describe('All that is wrong with the request.').exactOptional(),
      location: text.describe('Where what is in the way can be seen.').exactOptional(),
    }),
  })
  .meta({ id: 'Error' });

export const startedBody = z
  .strictObject({
    issue,
    run: text.describe('The id of the run.'),
    startsAt: moment.nullable().describe('Its turn in the line of new issues, where there is one.'),
    location: text,
  })
  .meta({ id: 'Started' });

export const stoppingBody = z
  .strictObject({ issue, how: z.enum(['stop', 'pause']), location: text })
  .meta({ id: 'Stopping' });

const preview: z.ZodType<RunPreview> = z.strictObject({
  issue,
  size: z.enum(SIZES).nullable(),
  route: text,
  phases: z.array(phase),
});
export const previewBody = preview.meta({ id: 'Preview' });

const lease = z.strictObject({ owner: text, phase: z.enum(AGENT_PHASES), phaseRun: text, until: moment });

const report = z.strictObject({
  issue,
  title: text,
  open: z.boolean(),
  status: z.enum(REPORT_STATUSES),
  run: z.strictObject({ id: text, startedAt: moment, by: text, options: runOptions }).nullable(),
  phase: phase.describe('In progress or next.'),
  size: z.enum(SIZES).nullable(),
  route: text,
  pull: z.strictObject({ number: count, state: z.enum(['open', 'closed', 'merged']), head: text }).nullable(),
  landed: text.nullable().describe('The commit on the base branch that holds the work.'),
  criteria: z.array(z.strictObject({ id: text, text, verdict: z.enum(VERDICTS).nullable() })),
  counters: z.record(text, count).describe('What was used up of what may be used.'),
  spentUsd: z.number(),
  lease: lease.nullable().describe('Who works on it now.'),
  halt: z
    .strictObject({ state: haltState, code: z.enum(errorCodes), because: text, message: text, remedy: text })
    .nullable(),
  next: z.strictObject({
    action: z.enum(['wait', 'run', 'effect', 'halt']),
    what: text,
    until: moment.nullable(),
    because: text,
  }),
  transitions: z.array(
    z.strictObject({
      at: moment,
      phase,
      because: text,
      kind: z.enum(TRANSITION_KINDS).exactOptional(),
      ms: z.number().exactOptional(),
      costUsd: z.number().exactOptional(),
      attempt: z.number().exactOptional(),
      record: runSummarySchema.exactOptional(),
    }),
  ),
});

report satisfies z.ZodType<Omit<RunReport, 'counters'>>;

const live = z.strictObject({
  at: moment,
  phase: z.enum(AGENT_PHASES),
  phaseRun: text,
  recent: z.array(z.strictObject({ at: moment, kind: z.enum(ACTIVITIES), text })),
});

export const runBody = z
  .strictObject({ ...report.shape, live: live.nullable().describe('What its agent did last; a hint.') })
  .meta({ id: 'Run' });

export const runsBody = z
  .strictObject({
    runs: z.array(z.strictObject({ ...entryShape(moment), location: text })),
    next: text.nullable().describe('Give it as `after` for the next page.'),
  })
  .meta({ id: 'Runs' });

/** An event of a run, on a page and in the stream. */
export const eventBody = z.union(eventShapes(moment).map((shape) => shape.extend({ id: text }))).meta({ id: 'Event' });

const { kind: doing, ...activity } = activityShape(moment);
/** The data of one message. Events have an id to resume from; activities and gaps have none. */
export const streamBody = z
  .union([
    eventBody,
    z.strictObject({ ...activity, kind: z.literal('agent-activity'), doing }),
    z
      .strictObject({ kind: z.literal('gap') })
      .describe('Some of what came after the id is gone; the oldest there is follows.'),
  ])
  .meta({ id: 'Message' });

export const eventsBody = z
  .strictObject({
    gap: z.boolean().describe('Some of what came after the id is gone.'),
    events: z.array(eventBody),
    next: text.describe('Give it as `since` for what comes after.'),
  })
  .meta({ id: 'Events' });

const spend = {
  usd: z.number(),
  reservedUsd: z.number().describe('Set aside for runs at work.'),
  limitUsd: z.number(),
};
const killSwitch = z.strictObject({ by: text, why: text, at: moment.nullable() });

export const killSwitchView = z
  .strictObject({ on: z.boolean(), since: killSwitch.nullable() })
  .meta({ id: 'KillSwitch' });

export const accountView = z
  .strictObject({
    breaker: z.strictObject({
      kind: z.enum(['closed', 'backing-off', 'open', 'half-open', 'tripped']),
      on: text.nullable().describe('What is wrong.'),
      until: moment.nullable(),
      why: text.nullable(),
    }),
    holds: z.array(z.strictObject({ on: text, until: moment.nullable(), because: text })),
    killSwitch: killSwitch.nullable(),
    today: z.strictObject({
      day: text,
      service: z.strictObject(spend),
      repositories: z.array(z.strictObject({ ...spend, repository: text })),
    }),
  })
  .meta({ id: 'Account' });
