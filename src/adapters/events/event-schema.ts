import { z } from 'zod';
import type { Effect, WaitReason } from '../../domain/action/action.js';
import { type HaltCode, HALT_CODES } from '../../domain/issue/halt-codes.js';
import { AGENT_PHASES, PHASES } from '../../domain/issue/phase.js';
import { type RunEntry, ENTRY_STATUSES } from '../../domain/events/run-entry.js';
import { ACTIVITIES, PHASE_ENDS, type RunActivity, type RunEvent, STOP_KINDS } from '../../domain/events/run-event.js';
import type { FixRequest, Halt } from '../../domain/state/state.js';
import { runSummarySchema } from '../../domain/agent/run-summary-schema.js';

/* Schemas of stored events, in the shapes of the domain. The API's description uses them, too. */

const text = z.string();
/** The range of a valid date. */
const instant = z.number().min(0).max(8.64e15);
const issue = z.strictObject({ owner: text, repo: text, number: z.int().positive() });
const phase = z.enum(PHASES);

/** Every member of a union; a missing one does not compile. */
const all = <Name extends string>(names: Readonly<Record<Name, unknown>>) => z.enum(Object.keys(names) as Name[]);

const waitReason = all<WaitReason>({
  'not-driven': 0,
  rest: 0,
  lease: 0,
  takeover: 0,
  checks: 0,
  mergeability: 0,
  objection: 0,
  approval: 0,
  person: 0,
  merge: 0,
  hold: 0,
});
const effect = all<Effect['kind']>({
  project: 0,
  'open-pr': 0,
  merge: 0,
  'request-fix': 0,
  'use-base': 0,
  'use-pull': 0,
  'go-to': 0,
  'note-head': 0,
  'note-silence': 0,
  finish: 0,
});
const fixSource = all<FixRequest['source']>({ checks: 0, review: 0, verify: 0, conflict: 0, tests: 0, people: 0 });
const haltState = all<Halt['state']>({ 'needs-human': 0, failed: 0, paused: 0 });
const errorCode = all<HaltCode>(HALT_CODES);

/** All events, with times in the given format. */
export function eventShapes<Moment extends z.ZodType>(moment: Moment) {
  const frame = { at: moment, issue, run: text.nullable(), phase: phase.nullable(), because: text };
  return [
    z.strictObject({ ...frame, kind: z.literal('run-started'), by: text }),
    z.strictObject({ ...frame, kind: z.literal('phase-queued'), attempt: z.number() }),
    z.strictObject({ ...frame, kind: z.literal('phase-started'), phaseRun: text, attempt: z.number(), owner: text }),
    z.strictObject({
      ...frame,
      kind: z.literal('phase-ended'),
      phaseRun: text,
      end: z.enum(PHASE_ENDS),
      ms: z.number().nullable(),
      costUsd: z.number().nullable(),
      attempt: z.number().nullable(),
      record: runSummarySchema.nullable(),
    }),
    z.strictObject({ ...frame, kind: z.literal('waiting'), on: waitReason, until: moment.nullable() }),
    z.strictObject({ ...frame, kind: z.literal('effect'), effect }),
    z.strictObject({ ...frame, kind: z.literal('fix-requested'), source: fixSource, items: z.number() }),
    z.strictObject({ ...frame, kind: z.literal('stop-requested'), by: text, how: z.enum(STOP_KINDS) }),
    z.strictObject({ ...frame, kind: z.literal('redirected'), by: text, to: phase }),
    z.strictObject({ ...frame, kind: z.literal('halted'), state: haltState, code: errorCode }),
    z.strictObject({ ...frame, kind: z.literal('resumed') }),
    z.strictObject({ ...frame, kind: z.literal('done'), oid: text, spentUsd: z.number() }),
  ] as const;
}

/** One line of the list of runs. */
export function entryShape<Moment extends z.ZodType>(moment: Moment) {
  const status = z.enum(ENTRY_STATUSES);
  return { issue, run: text.nullable(), status, phase: phase.nullable(), because: text, at: moment };
}

/** Something an agent did. */
export function activityShape<Moment extends z.ZodType>(moment: Moment) {
  return { at: moment, issue, phase: z.enum(AGENT_PHASES), phaseRun: text, kind: z.enum(ACTIVITIES), text };
}

export const runEventSchema: z.ZodType<RunEvent> = z.discriminatedUnion('kind', eventShapes(instant));
export const runEntrySchema: z.ZodType<RunEntry> = z.strictObject(entryShape(instant));
export const runActivitySchema: z.ZodType<RunActivity> = z.strictObject(activityShape(instant));

/** Parses a stored value; `null` when another version or somebody else wrote it. */
export function readBack<T>(schema: z.ZodType<T>, json: string | null | undefined): T | null {
  if (json === null || json === undefined) return null;
  try {
    return schema.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}
