import { z } from 'zod';
import { VERDICTS } from '../../domain/criteria/criterion.js';
import { type HaltCode, HALT_CODES } from '../../domain/issue/halt-codes.js';
import { SEVERITIES } from '../../domain/issue/finding.js';
import { MODEL_TIERS } from '../../domain/issue/options.js';
import { AGENT_PHASES, PHASES } from '../../domain/issue/phase.js';
import { SIZES } from '../../domain/issue/size.js';
import { TRANSITION_KINDS } from '../../domain/state/transition-kind.js';
import type { IssueState } from '../../domain/state/state.js';
import { runSummarySchema } from '../../domain/agent/run-summary-schema.js';

/* The schema of a state on GitHub. The compiler checks that it matches the domain type. */

const text = z.string();
const texts = z.array(text);
const oid = z.string().regex(/^[0-9a-f]{40}$/);
const instant = z.number();
const count = z.number().int().nonnegative();

const verifyCommand = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('command'), run: text }),
  z.strictObject({ kind: z.literal('file_exists'), path: text }),
  z.strictObject({ kind: z.literal('file_contains'), path: text, text }),
  z.strictObject({ kind: z.literal('grep'), pattern: text, path: text }),
]);

const criterion = z.strictObject({
  id: text,
  text,
  verify: verifyCommand.nullable(),
  stage: z.enum(['pre-merge', 'post-merge']),
});

const triage = z.strictObject({
  type: z.enum(['bug', 'feature', 'task']),
  size: z.enum(SIZES),
  reasons: texts,
  summary: text,
  criteria: z.array(criterion),
  criteriaHash: text,
});

const spec = z.strictObject({
  criteriaHash: text,
  approach: text,
  files: texts,
  steps: z.array(z.strictObject({ text, criteria: texts })),
  risks: texts,
});

const landed = z.strictObject({ oid, at: instant, work: oid.optional() });

const finding = z.strictObject({ severity: z.enum(SEVERITIES), file: text, line: z.number().int().nullable(), text });

const review = z.strictObject({
  head: oid,
  verdict: z.enum(['pass', 'fix']),
  findings: z.array(finding),
  score: z.number(),
  summary: text,
});

const verify = z.strictObject({
  oid,
  results: z.array(z.strictObject({ id: text, verdict: z.enum(VERDICTS), evidence: text, by: text.exactOptional() })),
});

const fix = z.strictObject({
  source: z.enum(['checks', 'review', 'verify', 'conflict', 'tests', 'people']),
  head: oid.nullable(),
  items: texts,
  reviews: texts.exactOptional(),
});

const progress = z.strictObject({
  triage: triage.nullable(),
  spec: spec.nullable(),
  pushed: z.strictObject({ head: oid, base: oid, summary: text, at: instant }).nullable(),
  landed: landed.nullable(),
  review: review.nullable(),
  overruled: z.strictObject({ head: oid, by: text, at: instant }).nullable().default(null),
  verify: verify.nullable(),
  fix: fix.nullable(),
  wip: oid.nullable().default(null),
  ready: z.strictObject({ commit: oid, title: text, summary: text }).nullable().default(null),
  held: z
    .strictObject({ commit: oid, title: text, summary: text, paths: texts, approvedBy: text.nullable() })
    .nullable()
    .default(null),
  startsOver: z.boolean().default(false),
  pullReason: text.nullable().default(null),
  done: landed.nullable(),
  pull: z.strictObject({ number: count, id: text }).nullable().default(null),
  supersededPr: count,
  handledReviews: texts.default([]),
});

const givenSize = z.strictObject({ size: z.enum(SIZES), by: text, at: instant });

const run = z.strictObject({
  id: text,
  startedAt: instant,
  askedAt: instant.default(0),
  by: z.strictObject({ id: z.number().int(), login: text }),
  options: z.strictObject({
    route: z.enum(['patch', 'pr']).exactOptional(),
    review: z.enum(['light', 'full']).exactOptional(),
    base: text.exactOptional(),
    stopAt: z.enum(PHASES).exactOptional(),
    model: z.enum(MODEL_TIERS).exactOptional(),
    budgetUsd: z.number().positive().exactOptional(),
    timeoutMin: z.number().int().positive().exactOptional(),
    maxIterations: z.number().int().positive().exactOptional(),
    dryRun: z.boolean().exactOptional(),
  }),
  authorised: z.strictObject({ title: text, body: text, hash: text }),
  startsAt: instant.default(0),
  batch: z.strictObject({ after: count.nullable(), before: count.nullable() }).nullable().default(null),
  guidance: text.nullable().default(null),
  waiver: z
    .strictObject({ phase: z.enum(PHASES), by: text, eventId: text })
    .nullable()
    .default(null),
  authorTrusted: z.boolean().default(false),
  approvedCriteria: text.nullable().default(null),
  ownSize: givenSize.nullable().default(null),
  vouchedSize: givenSize.nullable().default(null),
});

/* Defaults cover states that were written before a field existed. */

const handoff = z.strictObject({
  progress: text,
  files: texts.default([]),
  testStatus: z.enum(['passed', 'failed', 'not-run']).default('not-run'),
  decisions: texts,
  openErrors: texts,
});

const requestFields = { by: text, at: instant };
const pendingRequest = z.discriminatedUnion('kind', [
  z.strictObject({ ...requestFields, kind: z.literal('stop'), because: text }),
  z.strictObject({ ...requestFields, kind: z.literal('pause') }),
  z.strictObject({ ...requestFields, kind: z.literal('go-to'), phase: z.enum(PHASES), eventId: text }),
]);

const transition = z.strictObject({
  at: instant,
  phase: z.enum(PHASES),
  because: text,
  kind: z.enum(TRANSITION_KINDS).exactOptional(),
  ms: z.number().exactOptional(),
  costUsd: z.number().exactOptional(),
  attempt: z.number().exactOptional(),
  record: runSummarySchema.exactOptional(),
});

const errorCodes = Object.keys(HALT_CODES) as [HaltCode, ...HaltCode[]];

export const issueStateSchema: z.ZodType<IssueState> = z.strictObject({
  schema: z.literal(1),
  epoch: count,
  lease: z
    .strictObject({
      owner: text,
      phase: z.enum(AGENT_PHASES),
      phaseRun: text,
      until: instant,
      store: text.nullable().default(null),
    })
    .nullable(),
  run: run.nullable(),
  progress,
  counters: z.strictObject({
    agentRuns: count,
    failures: count,
    partialRuns: count.default(0),
    neverRan: count.default(0),
    crashes: count.default(0),
    noProgress: count.default(0),
    activeMs: z.number().nonnegative().default(0),
    reviewRounds: count,
    peopleRounds: count.default(0),
    checkFixes: count,
    conflictFixes: count.default(0),
    verifyIterations: count,
    mergeTries: count,
  }),
  handoff: handoff.nullable(),
  feedback: texts,
  halt: z
    .strictObject({ state: z.enum(['needs-human', 'failed', 'paused']), code: z.enum(errorCodes), because: text })
    .nullable(),
  pendingRequest: pendingRequest.nullable().default(null),
  refusal: z.strictObject({ head: oid, why: text, moved: count, notBefore: instant }).nullable().default(null),
  silence: z
    .strictObject({ about: z.enum(['mergeability', 'head', 'pull']), head: oid, since: instant })
    .nullable()
    .default(null),
  shownHead: z.strictObject({ head: oid, at: instant }).nullable().default(null),
  timelineCursor: z.strictObject({ id: text, at: instant }).nullable().default(null),
  ignoredEdit: text.nullable().default(null),
  progressFingerprint: text.default(''),
  spentUsd: z.number(),
  uncounted: texts.default([]),
  transitions: z.array(transition),
});
