import * as fc from 'fast-check';
import type { Criterion, VerifyCommand } from '../../../src/domain/criteria/criterion.js';
import { VERDICTS } from '../../../src/domain/criteria/criterion.js';
import { type HaltCode, HALT_CODES } from '../../../src/domain/issue/halt-codes.js';
import { SEVERITIES } from '../../../src/domain/issue/finding.js';
import { MODEL_TIERS } from '../../../src/domain/issue/options.js';
import { AGENT_PHASES, PHASES } from '../../../src/domain/issue/phase.js';
import { OUTCOME_KINDS } from '../../../src/domain/agent/run-summary.js';
import { SIZES } from '../../../src/domain/issue/size.js';
import type { IssueState, Progress } from '../../../src/domain/state/state.js';

/* Generates any possible state. Text is anything JSON can carry, lone surrogates included. */

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', '__proto__', '</state>', '\u0000\u202e'),
);
const texts = fc.array(text, { maxLength: 3 });
const oid = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'.split('')), minLength: 40, maxLength: 40 });
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const instant = fc.integer({ min: 0, max: 4_102_444_800_000 });

const verify: fc.Arbitrary<VerifyCommand> = fc.oneof(
  fc.record({ kind: fc.constant('command' as const), run: text }),
  fc.record({ kind: fc.constant('file_exists' as const), path: text }),
  fc.record({ kind: fc.constant('file_contains' as const), path: text, text }),
  fc.record({ kind: fc.constant('grep' as const), pattern: text, path: text }),
);

const criterion: fc.Arbitrary<Criterion> = fc.record({
  id: text,
  text,
  verify: fc.option(verify),
  stage: fc.constantFrom('pre-merge' as const, 'post-merge' as const),
});

const landed = fc.record({ oid, at: instant, work: oid }, { requiredKeys: ['oid', 'at'] });

const progress: fc.Arbitrary<Progress> = fc.record({
  triage: fc.option(
    fc.record({
      type: fc.constantFrom('bug' as const, 'feature' as const, 'task' as const),
      size: fc.constantFrom(...SIZES),
      reasons: texts,
      summary: text,
      criteria: fc.array(criterion, { maxLength: 3 }),
      criteriaHash: text,
    }),
  ),
  spec: fc.option(
    fc.record({
      criteriaHash: text,
      approach: text,
      files: texts,
      steps: fc.array(fc.record({ text, criteria: texts }), { maxLength: 2 }),
      risks: texts,
    }),
  ),
  pull: fc.option(fc.record({ number: fc.nat(), id: text })),
  pushed: fc.option(fc.record({ head: oid, base: oid, summary: text, at: instant })),
  landed: fc.option(landed),
  review: fc.option(
    fc.record({
      head: oid,
      verdict: fc.constantFrom('pass' as const, 'fix' as const),
      findings: fc.array(
        fc.record({ severity: fc.constantFrom(...SEVERITIES), file: text, line: fc.option(fc.nat()), text }),
        { maxLength: 2 },
      ),
      score: number,
      summary: text,
    }),
  ),
  verify: fc.option(
    fc.record({
      oid,
      results: fc.array(fc.record({ id: text, verdict: fc.constantFrom(...VERDICTS), evidence: text }), {
        maxLength: 2,
      }),
    }),
  ),
  fix: fc.option(
    fc.record({
      source: fc.constantFrom(
        'checks' as const,
        'review' as const,
        'verify' as const,
        'conflict' as const,
        'tests' as const,
        'people' as const,
      ),
      head: fc.option(oid),
      items: texts,
    }),
  ),
  wip: fc.option(oid),
  ready: fc.option(fc.record({ commit: oid, title: text, summary: text })),
  held: fc.option(fc.record({ commit: oid, title: text, summary: text, paths: texts, approvedBy: fc.option(text) })),
  startsOver: fc.boolean(),
  pullReason: fc.option(text),
  done: fc.option(landed),
  supersededPr: fc.nat(),
  overruled: fc.option(fc.record({ head: oid, by: fc.string(), at: instant })),
  handledReviews: texts,
});

const run = fc.record({
  id: text,
  startedAt: instant,
  by: fc.record({ id: fc.nat(), login: text }),
  options: fc.record(
    {
      route: fc.constantFrom('patch' as const, 'pr' as const),
      review: fc.constantFrom('light' as const, 'full' as const),
      base: text,
      stopAt: fc.constantFrom(...PHASES),
      model: fc.constantFrom(...MODEL_TIERS),
      budgetUsd: fc.double({ min: 0.01, max: 10_000, noNaN: true }),
      timeoutMin: fc.integer({ min: 1, max: 10_000 }),
      maxIterations: fc.integer({ min: 1, max: 1_000 }),
      dryRun: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  authorised: fc.record({ title: text, body: text, hash: text }),
  askedAt: instant,
  startsAt: instant,
  batch: fc.option(fc.record({ after: fc.option(fc.nat()), before: fc.option(fc.nat()) })),
  guidance: fc.option(text),
  waiver: fc.option(fc.record({ phase: fc.constantFrom(...PHASES), by: text, eventId: text })),
  authorTrusted: fc.boolean(),
  approvedCriteria: fc.option(text),
  ownSize: fc.option(fc.record({ size: fc.constantFrom(...SIZES), by: text, at: instant })),
  vouchedSize: fc.option(fc.record({ size: fc.constantFrom(...SIZES), by: text, at: instant })),
});

const record = fc.record({
  outcome: fc.constantFrom(...OUTCOME_KINDS),
  model: fc.option(text),
  turns: fc.nat(),
  ms: number,
  waitedMs: number,
  costUsd: number,
  tokens: fc.record({ input: fc.nat(), output: fc.nat(), cacheRead: fc.nat(), cacheWrite: fc.nat() }),
  steps: fc.nat(),
  resumes: fc.nat(),
  compactions: fc.nat(),
  processes: fc.nat(),
  maxRssMb: number,
});

const transition = fc.record(
  {
    at: instant,
    phase: fc.constantFrom(...PHASES),
    because: text,
    ms: number,
    costUsd: number,
    attempt: fc.nat(),
    record,
  },
  { requiredKeys: ['at', 'phase', 'because'] },
);

export const anyState: fc.Arbitrary<IssueState> = fc.record({
  schema: fc.constant(1 as const),
  epoch: fc.nat(),
  lease: fc.option(
    fc.record({
      owner: text,
      phase: fc.constantFrom(...AGENT_PHASES),
      phaseRun: text,
      until: instant,
      store: fc.option(text),
    }),
  ),
  run: fc.option(run),
  progress,
  counters: fc.record({
    agentRuns: fc.nat(),
    failures: fc.nat(),
    partialRuns: fc.nat(),
    neverRan: fc.nat(),
    crashes: fc.nat(),
    noProgress: fc.nat(),
    activeMs: fc.nat(),
    reviewRounds: fc.nat(),
    peopleRounds: fc.nat(),
    checkFixes: fc.nat(),
    conflictFixes: fc.nat(),
    verifyIterations: fc.nat(),
    mergeTries: fc.nat(),
  }),
  handoff: fc.option(
    fc.record({
      progress: text,
      files: texts,
      testStatus: fc.constantFrom('passed' as const, 'failed' as const, 'not-run' as const),
      decisions: texts,
      openErrors: texts,
    }),
  ),
  feedback: texts,
  halt: fc.option(
    fc.record({
      state: fc.constantFrom('needs-human' as const, 'failed' as const, 'paused' as const),
      code: fc.constantFrom(...(Object.keys(HALT_CODES) as HaltCode[])),
      because: text,
    }),
  ),
  pendingRequest: fc.option(
    fc.oneof(
      fc.record({ kind: fc.constant('stop' as const), by: text, at: instant, because: text }),
      fc.record({ kind: fc.constant('pause' as const), by: text, at: instant }),
      fc.record({
        kind: fc.constant('go-to' as const),
        by: text,
        at: instant,
        phase: fc.constantFrom(...PHASES),
        eventId: text,
      }),
    ),
  ),
  refusal: fc.option(fc.record({ head: oid, why: text, moved: fc.nat(), notBefore: instant })),
  silence: fc.option(
    fc.record({ about: fc.constantFrom('mergeability' as const, 'head' as const), head: oid, since: instant }),
  ),
  shownHead: fc.option(fc.record({ head: oid, at: instant })),
  timelineCursor: fc.option(fc.record({ id: text, at: instant })),
  ignoredEdit: fc.option(text),
  progressFingerprint: text,
  spentUsd: number,
  uncounted: texts,
  transitions: fc.array(transition, { maxLength: 4 }),
});
