import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { issueFacts } from '../../../../../src/adapters/github/snapshot/facts.js';
import { toSnapshot } from '../../../../../src/adapters/github/snapshot/to-snapshot.js';
import { NO_HINTS } from '../../../../support/github/github-adapter.js';

/* What GitHub can answer and Pocket does not: more than a hundred checks, holes. */

const AT = Date.parse('2026-01-05T12:00:00Z');
const OID = 'a'.repeat(40);
const NO_MORE = { hasPreviousPage: false, startCursor: null };
const SELF = 900;
const noRules = { refUpdateRule: null, rules: { nodes: [] } };

const pull = (more: object = {}) => ({
  id: 'PR_1',
  number: 2,
  state: 'OPEN',
  isDraft: false,
  isCrossRepository: false,
  headRefName: 'sluice/issue-1',
  headRepository: { id: 'R_1' },
  author: { type: 'Bot', login: 'sluice', databaseId: SELF },
  createdAt: '2026-01-05T11:00:00Z',
  closedAt: null,
  mergedAt: null,
  mergeable: 'UNKNOWN',
  mergeStateStatus: 'UNKNOWN',
  headRefOid: OID,
  baseRefName: 'main',
  baseRef: noRules,
  mergeCommit: null,
  statusCheckRollup: null,
  ...more,
});

const account = (more: object) => ({ type: 'User', login: 'x', databaseId: 1, ...more });
const comment = (author: object | null) => ({
  id: 'IC_1',
  fullDatabaseId: '3000000000',
  body: 'hi',
  createdAt: '2026-01-05T09:00:00Z',
  lastEditedAt: null,
  author,
});

const answer = (repository: object = {}, issue: object = {}) => ({
  id: 'I_1',
  title: 'Grow',
  body: '',
  state: 'OPEN',
  labels: { nodes: [] },
  labelings: { nodes: [] },
  closings: { nodes: [] },
  author: account({}),
  editor: null,
  lastEditedAt: null,
  updatedAt: '2026-01-05T09:00:00Z',
  comments: { pageInfo: NO_MORE, nodes: [] },
  ...issue,
  repository: {
    id: 'R_1',
    databaseId: 1,
    defaultBranchRef: { name: 'main', target: { oid: OID }, ...noRules },
    state: null,
    work: null,
    pullRequests: { pageInfo: NO_MORE, nodes: [] },
    openPulls: { nodes: [] },
    workBranches: { nodes: [] },
    squashMergeAllowed: true,
    mergeCommitAllowed: true,
    rebaseMergeAllowed: true,
    ...repository,
  },
});

const read = (facts: unknown) =>
  toSnapshot(issueFacts.parse(facts), {
    ref: { owner: 'ada', repo: 'garden', number: 1 },
    hints: NO_HINTS,
    at: AT,
    askedAt: AT,
    accountId: SELF,
  });

describe('the pull request of an issue', () => {
  test('is never one from a fork, however new it is', () => {
    const pullRequests = {
      pageInfo: NO_MORE,
      nodes: [pull(), pull({ id: 'PR_9', number: 9, isCrossRepository: true }), null],
    };
    expect(read(answer({ pullRequests })).pulls[0]).toMatchObject({ id: 'PR_1', mergeable: 'unknown' });
  });

  test('is found through its branch when forks crowd it out of the list', () => {
    const forks = Array.from({ length: 10 }, (_, index) => pull({ number: 10 + index, isCrossRepository: true }));
    const work = { target: { oid: OID }, associatedPullRequests: { nodes: [pull()] } };
    expect(read(answer({ pullRequests: { pageInfo: NO_MORE, nodes: forks }, work })).pulls[0]).toMatchObject({
      number: 2,
    });
  });
});

describe('checks', () => {
  const run = (more: object) => ({
    type: 'CheckRun',
    name: 'build',
    status: 'COMPLETED',
    conclusion: 'SUCCESS',
    title: null,
    summary: null,
    checkSuite: { app: { databaseId: 5 } },
    ...more,
  });
  const checks = (nodes: readonly object[], more: object = {}, rollup: object = {}) => {
    const contexts = { pageInfo: { hasNextPage: false }, nodes };
    const statusCheckRollup = { state: 'SUCCESS', contexts, ...rollup };
    return (
      read(answer({ pullRequests: { pageInfo: NO_MORE, nodes: [pull({ statusCheckRollup, ...more })] } })).pulls[0]
        ?.checks ?? []
    );
  };

  test.each([
    ['SUCCESS', 'green'],
    ['NEUTRAL', 'green'],
    ['SKIPPED', 'green'],
    ['FAILURE', 'red'],
    ['CANCELLED', 'red'],
    ['TIMED_OUT', 'red'],
    ['ACTION_REQUIRED', 'red'],
    ['STALE', 'red'],
  ])('that ended with %s are %s', (conclusion, outcome) => {
    expect(checks([run({ conclusion })])).toMatchObject([{ outcome }]);
  });

  test.each([
    ['EXPECTED', 'pending'],
    ['PENDING', 'pending'],
    ['SUCCESS', 'green'],
    ['FAILURE', 'red'],
    ['ERROR', 'red'],
  ])('reported as status %s are %s', (state, outcome) => {
    expect(checks([{ type: 'StatusContext', context: 'legacy', state, description: null }])).toMatchObject([
      { outcome },
    ]);
  });

  test('past the hundredth are known by the state of all', () => {
    const contexts = { pageInfo: { hasNextPage: true }, nodes: [run({})] };
    const [, all] = checks([], {}, { state: 'FAILURE', contexts });
    expect(all).toMatchObject({ name: 'all checks', outcome: 'red' });
  });

  test('of another App than the required one do not count for it', () => {
    const rule = {
      type: 'REQUIRED_STATUS_CHECKS',
      parameters: { requiredStatusChecks: [{ context: 'build', integrationId: 42 }] },
    };
    const baseRef = { refUpdateRule: null, rules: { nodes: [rule] } };
    expect(checks([run({})], { baseRef }).map(({ outcome, required }) => [outcome, required])).toEqual([
      ['green', false],
      ['pending', true],
    ]);
    const right = run({ checkSuite: { app: { databaseId: 42 } } });
    expect(checks([right], { baseRef })).toMatchObject([{ outcome: 'green', required: true }]);
  });
});

describe('the rest', () => {
  test('accounts that are not people are bots; deleted ones are nobody', () => {
    const authors = [account({}), account({ type: 'Bot' }), account({ type: 'Mannequin' }), null];
    const { comments } = read(answer({}, { comments: { pageInfo: NO_MORE, nodes: authors.map(comment) } }));
    expect(comments.map(({ author }) => author?.kind ?? null)).toEqual(['human', 'bot', 'bot', null]);
    expect(comments[0]?.databaseId).toBe(3_000_000_000);
  });

  test('a state that came cut, binary or not as a commit has no text, but is there', () => {
    const state = (object: object | null) => ({ oid: OID, parents: { nodes: [] }, file: { object } });
    const text = (given: object) => read(answer({ state: given })).rawState;
    const none = { oid: OID, parents: [], text: null };
    expect(text(state({ text: '{"epo', isTruncated: true }))).toEqual(none);
    expect(text(state({ text: null, isTruncated: false }))).toEqual(none);
    expect(text({ oid: OID })).toEqual(none);
    expect(text({ oid: OID, parents: { nodes: [] }, file: null })).toEqual(none);
  });

  test('a classic protection that wants signatures, or does not let us push, keeps direct pushes out', () => {
    const open = {
      requiredApprovingReviewCount: null,
      requiredStatusCheckContexts: [],
      requiresSignatures: false,
      viewerCanPush: true,
    };
    const isProtected = (more: object) =>
      read(
        answer({
          defaultBranchRef: { name: 'main', target: { oid: OID }, rules: null, refUpdateRule: { ...open, ...more } },
        }),
      ).base.protected;
    expect([isProtected({}), isProtected({ requiresSignatures: true }), isProtected({ viewerCanPush: false })]).toEqual(
      [false, true, true],
    );
  });

  test('an empty repository is an error that says what to do', () => {
    expect(() => read(answer({ defaultBranchRef: null }))).toThrow(
      'ada/garden has no commit to start from: push one first',
    );
  });

  test('an answer of another shape is not believed', () => {
    expect(() => read(answer({ databaseId: 'one' }))).toThrow(z.ZodError);
  });
});
