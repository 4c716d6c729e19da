import { DEFAULT_BUDGETS } from '../../../src/domain/limits/budgets.js';
import type { Criterion } from '../../../src/domain/criteria/criterion.js';
import { DEFAULT_LIMITS, type Policy } from '../../../src/domain/limits/policy.js';
import type { CheckFacts, IssueSnapshot, PullFacts } from '../../../src/domain/state/snapshot.js';
import {
  EMPTY_STATE,
  type IssueState,
  EMPTY_PROGRESS,
  type Progress,
  type RunRecord,
  type Spec,
  type Triage,
} from '../../../src/domain/state/state.js';
import type { Size } from '../../../src/domain/issue/size.js';
import { driftOf } from './rendered.js';

/* An example issue, and functions to vary it. Times are minutes after noon. */

export const minute = (n: number): number => Date.UTC(2026, 0, 5, 12, n);
export const NOW = minute(30);
export const BOT = { id: 900, login: 'sluice-dev[bot]', kind: 'bot' } as const;
export const ADA = { id: 1, login: 'ada', kind: 'human' } as const;
export const OID = { base: 'b'.repeat(40), head: 'a'.repeat(40), other: 'c'.repeat(40), merge: 'd'.repeat(40) };

export const POLICY: Policy = {
  ...DEFAULT_LIMITS,
  hasTests: true,
  identity: { accountId: BOT.id, appId: 77 },
  budgets: DEFAULT_BUDGETS,
  holds: [],
};

export const RUN: RunRecord = {
  id: 'run-1',
  startedAt: minute(0),
  by: { id: ADA.id, login: ADA.login },
  options: {},
  authorised: { title: 'Grow', body: 'It should grow.', hash: 'h' },
  askedAt: minute(0),
  startsAt: 0,
  batch: null,
  guidance: null,
  waiver: null,
  authorTrusted: true,
  approvedCriteria: null,
  ownSize: null,
  vouchedSize: null,
};

export const CRITERIA: readonly Criterion[] = [
  {
    id: 'c1',
    text: 'grow() exists',
    verify: { kind: 'grep', pattern: 'grow', path: 'src/grow.js' },
    stage: 'pre-merge',
  },
];

export const triage = (size: Size): Triage => ({
  type: 'feature',
  size,
  reasons: ['one file'],
  summary: 'Add grow().',
  criteria: CRITERIA,
  criteriaHash: 'criteria-1',
});

export const SPEC: Spec = {
  criteriaHash: 'criteria-1',
  approach: 'Add it.',
  files: ['src/grow.js'],
  steps: [{ text: 'Write it', criteria: ['c1'] }],
  risks: [],
};

export const state = (progress: Partial<Progress> = {}, more: Partial<IssueState> = {}): IssueState => ({
  ...EMPTY_STATE,
  epoch: 1,
  run: RUN,
  ...more,
  progress: { ...EMPTY_PROGRESS, ...progress },
});

export const pull = (more: Partial<PullFacts> = {}): PullFacts => ({
  id: 'PR_1',
  number: 12,
  state: 'open',
  draft: false,
  head: OID.head,
  baseRef: 'main',
  createdAt: minute(10),
  closedAt: null,
  reopenedBy: null,
  mergeable: 'yes',
  mergeState: 'CLEAN',
  checks: [check()],
  reviews: [],
  reviewDecision: null,
  reviewers: [],
  isCut: false,
  mergeCommit: null,
  mergedAt: null,
  ...more,
});

export const check = (more: Partial<CheckFacts> = {}): CheckFacts => ({
  name: 'test',
  outcome: 'green',
  required: false,
  appId: 5,
  summary: '',
  ...more,
});

export const snapshot = (issue: IssueState | null, more: Partial<IssueSnapshot> = {}): IssueSnapshot => ({
  ref: { owner: 'ada', repo: 'garden', number: 7 },
  readAt: NOW,
  knownAt: NOW,
  repositoryId: 'R_1',
  repositoryDatabaseId: 1,
  issueId: 'I_7',
  title: 'Grow',
  body: 'It should grow.',
  author: ADA,
  editor: null,
  editedAt: null,
  state: 'open',
  labels: [],
  projectSize: null,
  projectSizeAt: null,
  events: [],
  comments: [],
  base: { ref: 'main', head: OID.base, protected: false, holdsLanded: null, checks: 'none', defaultHead: null },
  pull: null,
  pullsCut: false,
  foreignPull: null,
  workHead: null,
  mergeMethod: 'squash',
  openPulls: 0,
  reading: issue === null ? { kind: 'none' } : { kind: 'valid', state: issue, oid: 'e'.repeat(40) },
  labelIds: {},
  ...more,
});

/** The snapshot after all projections are done. */
export function projected(before: IssueSnapshot, policy = POLICY): IssueSnapshot {
  return driftOf(before, policy).reduce<IssueSnapshot>((current, change) => {
    switch (change.kind) {
      case 'labels':
        return {
          ...current,
          labels: [...current.labels.filter((label) => !change.remove.includes(label)), ...change.add],
        };
      case 'comment': {
        const id = change.existing ?? `IC_${change.slot}_${current.comments.length}`;
        const written = { id, databaseId: 1, author: BOT, body: change.body, at: NOW, edited: false };
        return { ...current, comments: [...current.comments.filter((comment) => comment.id !== id), written] };
      }
      case 'remove-comment':
        return { ...current, comments: current.comments.filter((comment) => comment.id !== change.id) };
      case 'check-run': {
        if (current.pull === null) return current;
        const made = check({
          name: change.name,
          appId: policy.identity.appId,
          outcome: change.conclusion === 'failure' ? 'red' : 'green',
        });
        return {
          ...current,
          pull: {
            ...current.pull,
            checks: [...current.pull.checks.filter((other) => other.name !== change.name), made],
          },
        };
      }
      case 'tick':
        return { ...current, body: change.body };
      case 'close':
        return { ...current, state: 'closed' };
    }
  }, before);
}
