import { HALT_CODES } from '../../../src/domain/issue/halt-codes.js';
import type { HoldReason, Policy } from '../../../src/domain/limits/policy.js';
import type { IssueSnapshot } from '../../../src/domain/state/snapshot.js';
import { NO_COUNTERS } from '../../../src/domain/state/counters.js';
import type { IssueState, Transition, Triage } from '../../../src/domain/state/state.js';
import type { WaitTopic } from '../../../src/domain/render/status/waits.js';
import { check, minute, OID, POLICY, pull, RUN, snapshot, SPEC, state } from './snapshot-fixture.js';

/* One issue at typical moments. The model's texts in it try everything that must not work. */

export interface StatusExample {
  readonly snapshot: IssueSnapshot;
  readonly policy: Policy;
}

const TITLE = 'Retry uploads that fail half way (asked for by @wren)';

const TRIAGE: Triage = {
  type: 'feature',
  size: 'M',
  reasons: ['Two modules change, `upload/queue` and `upload/client`', 'Fixes #3 is *not* part of this'],
  summary:
    'Uploads that break off are started over from the first byte. They should go on where they stopped, see ada/garden#2.',
  criteria: [
    {
      id: 'c1',
      text: 'A broken upload goes on at the last byte | not the first',
      verify: { kind: 'command', run: 'npm test -- upload' },
      stage: 'pre-merge',
    },
    {
      id: 'c2',
      text: 'The number of tries is bounded',
      verify: { kind: 'grep', pattern: 'MAX_TRIES', path: 'src/upload/queue.ts' },
      stage: 'pre-merge',
    },
    { id: 'c3', text: 'The progress bar does not jump back', verify: null, stage: 'post-merge' },
  ],
  criteriaHash: '5f2b81c09d4e77aa',
};

const RUN_OF_WREN = {
  ...RUN,
  id: 'b41c7a02-run',
  by: { id: 1, login: 'ada' },
  authorised: { title: TITLE, body: 'Uploads break.', hash: '9c1e55d0b7a34f21' },
};

const line = (at: number, phase: Transition['phase'], because: string, more: Partial<Transition> = {}): Transition => ({
  at: minute(at),
  phase,
  because,
  ...more,
});
const ended = (min: number, costUsd: number, attempt = 1) => ({ ms: min * 60_000, costUsd, attempt });

const UNTIL_SPEC: readonly Transition[] = [
  line(0, 'issue', 'ada asked for it'),
  line(0, 'issue', 'size and acceptance criteria are not known yet', { kind: 'taken' }),
  line(2, 'issue', 'size M, 3 criteria', { kind: 'done', ...ended(2, 0.11) }),
  line(2, 'spec', 'there is no spec for the current criteria', { kind: 'taken' }),
  line(5, 'spec', '4 steps in 3 files', { kind: 'done', ...ended(3, 0.24) }),
];
const UNTIL_PUSHED: readonly Transition[] = [
  ...UNTIL_SPEC,
  line(5, 'code', 'there is no pushed work yet', { kind: 'taken' }),
  line(16, 'code', 'pushed aaaaaaa: Go on where an upload stopped', { kind: 'done', ...ended(11, 0.93) }),
];
const UNTIL_FIXED: readonly Transition[] = [
  ...UNTIL_PUSHED,
  line(18, 'review', 'red on aaaaaaa: build', { kind: 'fix-checks' }),
  line(18, 'code', 'checks asked for changes', { kind: 'taken' }),
  line(22, 'code', 'pushed ccccccc: Close the file on every way out', { kind: 'done', ...ended(4, 0.31) }),
];
const UNTIL_MERGED: readonly Transition[] = [
  ...UNTIL_FIXED,
  line(23, 'review', 'ccccccc has not been reviewed', { kind: 'taken' }),
  line(23, 'review', 'ccccccc has not been reviewed', { kind: 'taken' }),
  line(28, 'review', 'nothing must be changed, ask @mallory', { kind: 'done', ...ended(5, 0.4) }),
  line(28, 'merge', 'ccccccc is reviewed and its checks are green'),
];

const planned = { triage: TRIAGE, spec: { ...SPEC, criteriaHash: TRIAGE.criteriaHash } };
const pushed = (head: string) => ({
  ...planned,
  pushed: { head, base: OID.base, summary: 'Uploads go on.', at: minute(16) },
});
const used = (agentRuns: number, min: number): Partial<IssueState> => ({
  counters: { ...NO_COUNTERS, agentRuns, activeMs: min * 60_000 },
});

const example = (
  progress: Partial<IssueState['progress']>,
  more: Partial<IssueState>,
  facts: Partial<IssueSnapshot> = {},
  policy: Policy = POLICY,
): StatusExample => ({
  snapshot: snapshot(
    {
      ...state(progress, { run: RUN_OF_WREN, ...more }),
      ...(more.progress === undefined ? {} : { progress: more.progress }),
    },
    { title: TITLE, ...facts },
  ),
  policy,
});

const merged = pull({ state: 'merged', head: OID.other, mergeCommit: OID.merge, mergedAt: minute(29) });
const results = (last: 'PASS' | 'UNCERTAIN' | 'FAIL') => [
  { id: 'c1', verdict: 'PASS', evidence: '12 passing' } as const,
  { id: 'c2', verdict: 'PASS', evidence: 'src/upload/queue.ts:14: const MAX_TRIES = 5' } as const,
  { id: 'c3', verdict: last, evidence: 'nobody here can see a progress bar; closes #1 ![x](http://x.y)' } as const,
];
const halted = (halt: NonNullable<IssueState['halt']>) => ({ halt });

/** A quota pause with a fixed end. */
const QUOTA: Policy = {
  ...POLICY,
  holds: [
    {
      on: 'quota',
      until: minute(95),
      because: 'the account’s usage limit is reached; `sluice account --clear` tries sooner',
    },
  ],
};

export const STATUS_EXAMPLES = {
  started: example({}, { transitions: UNTIL_SPEC.slice(0, 1) }),
  running: example(
    { ...pushed(OID.other), fix: null },
    { ...used(4, 20), spentUsd: 1.59, transitions: UNTIL_FIXED },
    { pull: pull({ head: OID.other }), workHead: OID.other },
  ),
  fixing: example(
    { ...pushed(OID.head), fix: { source: 'checks', head: OID.head, items: ['build: red'] } },
    { ...used(3, 16), spentUsd: 1.28, transitions: UNTIL_FIXED.slice(0, -2) },
    { pull: pull(), workHead: OID.head },
  ),
  waiting: example(planned, { ...used(2, 5), spentUsd: 0.35, transitions: UNTIL_SPEC }, {}, QUOTA),
  questions: example(
    {},
    {
      ...used(1, 2),
      spentUsd: 0.11,
      transitions: UNTIL_SPEC.slice(0, 2),
      ...halted({
        state: 'needs-human',
        code: 'questions-open',
        because:
          'Should an upload go on after a restart of the browser? How long are broken uploads kept, @wren?\n/auto stop',
      }),
    },
  ),
  'over-budget': example(
    { ...planned, wip: OID.head },
    {
      ...used(3, 16),
      spentUsd: 12.02,
      transitions: [
        ...UNTIL_SPEC,
        line(16, 'code', 'the agent ran out of money', { kind: 'stopped', ...ended(11, 11.67) }),
      ],
      ...halted({
        state: 'paused',
        code: 'over-budget',
        because: 'spent $12.02 of $12.00; `/auto --resume --budget 24` raises it',
      }),
    },
    { workHead: OID.head },
  ),
  stopped: example(planned, {
    ...used(3, 7),
    spentUsd: 0.5,
    transitions: [...UNTIL_SPEC, line(7, 'code', 'ada asked to stop')],
    ...halted({ state: 'paused', code: 'stopped', because: 'ada asked to stop' }),
  }),
  failed: example(
    { ...pushed(OID.other), verify: { oid: OID.merge, results: results('FAIL') } },
    {
      ...used(9, 50),
      counters: { ...NO_COUNTERS, agentRuns: 9, activeMs: 50 * 60_000, verifyIterations: 3 },
      spentUsd: 4.1,
      transitions: [
        ...UNTIL_MERGED,
        line(31, 'verify', '2 of 3 criteria hold on ddddddd', { kind: 'done', ...ended(2, 0.2) }),
      ],
      ...halted({ state: 'failed', code: 'verify-failed', because: 'c3 failed on ddddddd' }),
    },
    { pull: merged },
  ),
  'partly-done': example(
    { ...pushed(OID.other), verify: { oid: OID.merge, results: results('UNCERTAIN') } },
    {
      ...used(6, 27),
      spentUsd: 2.19,
      transitions: [
        ...UNTIL_MERGED,
        line(31, 'verify', '2 of 3 criteria hold on ddddddd', { kind: 'done', ...ended(2, 0.2) }),
      ],
      ...halted({ state: 'needs-human', code: 'criteria-manual', because: 'c3 need a person' }),
    },
    { pull: merged },
  ),
  done: example(
    {
      ...pushed(OID.other),
      verify: { oid: OID.merge, results: results('PASS') },
      done: { oid: OID.merge, at: minute(31) },
    },
    {
      ...used(6, 27),
      spentUsd: 2.19,
      transitions: [
        ...UNTIL_MERGED,
        line(31, 'verify', '3 of 3 criteria hold on ddddddd', { kind: 'done', ...ended(2, 0.2) }),
      ],
    },
    { pull: merged },
  ),
} as const satisfies Record<string, StatusExample>;
export type StatusExampleName = keyof typeof STATUS_EXAMPLES;

/** Every way a run can stop, at the same place. */
export const HALT_EXAMPLES: readonly StatusExample[] = (Object.keys(HALT_CODES) as (keyof typeof HALT_CODES)[]).map(
  (code) =>
    example(planned, { transitions: UNTIL_SPEC, ...halted({ state: 'needs-human', code, because: 'a reason' }) }),
);

const reviewed = (
  facts: Partial<IssueSnapshot>,
  more: Partial<IssueState> = {},
  policy: Partial<Policy> = {},
): StatusExample =>
  example(
    {
      ...pushed(OID.head),
      review: { head: OID.head, verdict: 'pass', findings: [], score: 0.95, summary: 'Good.' },
    },
    { ...used(4, 20), spentUsd: 1.59, transitions: UNTIL_FIXED, ...more },
    { pull: pull(), workHead: OID.head, ...facts },
    { ...POLICY, ...policy },
  );
const holding = (on: HoldReason, because: string, until: number | null = minute(95)): StatusExample =>
  example(
    planned,
    { ...used(2, 5), spentUsd: 0.35, transitions: UNTIL_SPEC },
    {},
    { ...POLICY, holds: [{ on, until, because }] },
  );
const objection = {
  id: 'PRR_1',
  author: { id: 5, login: 'tess', kind: 'human' },
  state: 'changes-requested',
  body: 'Not yet.',
  comments: [],
  commit: OID.head,
  at: minute(20),
} as const;

/** Every wait that people see. */
export const WAIT_EXAMPLES: Readonly<Record<WaitTopic, StatusExample>> = {
  checks: example(
    pushed(OID.head),
    { ...used(3, 16), spentUsd: 1.28, transitions: UNTIL_PUSHED },
    {
      pull: pull({
        checks: [check({ name: 'build', outcome: 'pending' }), check({ name: 'lint', outcome: 'pending' })],
      }),
      workHead: OID.head,
    },
  ),
  mergeability: reviewed(
    { pull: pull({ mergeable: 'unknown' }) },
    { silence: { about: 'mergeability', head: OID.head, since: minute(28) } },
  ),
  objection: reviewed(
    { pull: pull({ reviews: [objection] }) },
    {
      progress: {
        ...state({
          ...pushed(OID.head),
          review: { head: OID.head, verdict: 'pass', findings: [], score: 0.95, summary: 'Good.' },
          handledReviews: ['PRR_1'],
        }).progress,
      },
    },
  ),
  approval: reviewed({ pull: pull({ reviewDecision: 'required', reviewers: ['tess', 'acme/core'] }) }),
  person: reviewed({}, {}, { merge: 'never' }),
  merge: reviewed(
    {},
    { refusal: { head: OID.head, why: 'Base branch was modified', moved: 1, notBefore: minute(32) } },
  ),
  line: example({}, { run: { ...RUN_OF_WREN, startsAt: minute(60) }, transitions: UNTIL_SPEC.slice(0, 1) }),
  batch: example(
    {},
    { run: { ...RUN_OF_WREN, batch: { after: 6, before: null } }, transitions: UNTIL_SPEC.slice(0, 1) },
  ),
  crashes: example(planned, {
    ...used(3, 5),
    counters: { ...NO_COUNTERS, agentRuns: 3, crashes: 3 },
    transitions: UNTIL_SPEC,
    lease: { owner: 'gone', phase: 'code', phaseRun: 'r', until: minute(29), store: null },
  }),
  'open-pulls': example(planned, { ...used(2, 5), spentUsd: 0.35, transitions: UNTIL_SPEC }, { openPulls: 10 }),
  quota: holding('quota', 'the account’s usage limit is reached; `sluice account --clear` tries sooner'),
  provider: holding('provider', 'the model’s API keeps failing (529 overloaded)'),
  credential: holding(
    'credential',
    'the model’s API refuses the credential (401); put it right, then `sluice account --clear`',
    null,
  ),
  budget: holding('budget', 'ada/garden has spent $50.00 of the $50.00 a day'),
  slots: holding('slots', 'other runs use all the places'),
  'github-limit': holding('github-limit', 'GitHub’s hourly limit is used up'),
  config: holding('config', '`.github/sluice.yml` on main cannot be read: Unrecognized key: "merges"', null),
  'kill-switch': holding('kill-switch', 'ops stopped all work: the bill', null),
};
