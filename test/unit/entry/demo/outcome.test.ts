import { describe, expect, test } from '@jest/globals';
import { plainNarrator } from '../../../../src/entry/demo/narrator.js';
import { type Outcome, problemsWith } from '../../../../src/entry/demo/person.js';
import { advanceStory, EMPTY_STORY } from '../../../../src/entry/demo/story.js';
import { NO_COUNTERS } from '../../../../src/domain/state/counters.js';
import { EMPTY_STATE, type IssueState, type Transition } from '../../../../src/domain/state/state.js';

const status = { bot: true, body: '<!-- sluice:status -->\n### Done' };
const triage = {
  bot: true,
  body: '<!-- sluice:triage -->\n- ✅ **c1** It works (judged)\n- ✅ **c2** It lasts (judged)',
};
const pull = { number: 6, merged: true, mergeCommit: 'b1' };

const PATCHED: Outcome = {
  title: 'Say hello',
  body: '- [x] It works',
  state: 'closed',
  labels: ['phase/done', 'size/S', 'triaged'],
  comments: [{ bot: false, body: '/auto' }, status, triage],
  pulls: [],
};

describe('the demo’s outcome', () => {
  test('is right when GitHub shows everything that was promised', () => {
    expect(problemsWith(PATCHED, ['b1'], 'patch')).toEqual([]);
    expect(problemsWith({ ...PATCHED, pulls: [pull] }, ['b1'], 'pr')).toEqual([]);
  });

  test.each<[string, Partial<Outcome>, readonly string[], 'patch' | 'pr']>([
    ['the issue is open', { state: 'open' }, ['b1'], 'patch'],
    ['its labels are phase/verify', { labels: ['phase/verify'] }, ['b1'], 'patch'],
    ['its labels are phase/done phase/verify', { labels: ['phase/done', 'phase/verify'] }, ['b1'], 'patch'],
    ['a label still says that it is being driven', { labels: ['auto/running', 'phase/done'] }, ['b1'], 'patch'],
    ['there are 2 status comments', { comments: [status, status, triage] }, ['b1'], 'patch'],
    ['there are 0 status comments', { comments: [{ ...status, bot: false }, triage] }, ['b1'], 'patch'],
    ['not every criterion is shown to hold', { comments: [status] }, ['b1'], 'patch'],
    [
      'not every criterion is shown to hold',
      { comments: [status, { ...triage, body: triage.body.replace('✅', '❌') }] },
      ['b1'],
      'patch',
    ],
    ['a box in the issue is not ticked', { body: '- [ ] It works' }, ['b1'], 'patch'],
    ['0 commits landed on the base branch', {}, [], 'patch'],
    ['2 commits landed on the base branch', {}, ['b1', 'b2'], 'patch'],
    ['there is a pull request', { pulls: [pull] }, ['b1'], 'patch'],
    ['there are 1 pull requests, merged: false', { pulls: [{ ...pull, merged: false }] }, ['b1'], 'pr'],
    ['there are 2 pull requests, merged: true', { pulls: [pull, pull] }, ['b1'], 'pr'],
    ['the merge is not on the base branch', { pulls: [{ ...pull, mergeCommit: 'b9' }] }, ['b1'], 'pr'],
  ])('is wrong when %s', (complaint, changed, landed, route) => {
    expect(problemsWith({ ...PATCHED, ...changed }, landed, route)).toEqual([complaint]);
  });
});

test('the story is told once for each end of a phase', () => {
  const triaged: IssueState['progress']['triage'] = {
    type: 'bug',
    size: 'S',
    reasons: [],
    summary: '',
    criteria: [],
    criteriaHash: 'h',
  };
  const state = (told: Partial<Transition>, failures = 0, lease = false): IssueState => ({
    ...EMPTY_STATE,
    lease: lease ? { owner: 'me', phase: 'spec', phaseRun: 'r', until: 9, store: null } : null,
    counters: { ...NO_COUNTERS, failures },
    progress: { ...EMPTY_STATE.progress, triage: triaged },
    transitions: [{ at: 0, phase: 'spec', because: '', ...told }],
  });
  const states = [
    state({ phase: 'issue', because: 'size S, 2 criteria', ms: 2000 }),
    state({ because: 'there is no spec' }, 1, true),
    state({ because: 'the result was not good enough', ms: 3000 }, 1),
    state({ because: 'there is no spec' }, 2, true),
    state({ because: '3 steps in 2 files', ms: 1000 }),
    state({ because: 'bookkeeping', phase: 'code' }),
  ];
  const lines: string[] = [];
  const narrator = plainNarrator({ write: (text) => lines.push(text), now: () => 0, columns: () => 80 });
  const end = states.reduce((story, next) => {
    const after = advanceStory(story, next, 5);
    narrator.show(after);
    return after;
  }, EMPTY_STORY);
  expect(lines).toEqual([
    '[1/4] issue → done (size S, 2 criteria)\n',
    '[2/4] spec → not accepted (the result was not good enough)\n',
    '[2/4] spec → done (3 steps in 2 files)\n',
  ]);
  expect(end.chapters.find(({ phase }) => phase === 'spec')).toMatchObject({ ms: 4000, attempts: 2 });
});
