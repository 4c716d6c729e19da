import { describe, expect, test } from '@jest/globals';
import { pushTo } from '../support/branches.js';
import { freshPocketEachTest } from '../support/fresh-pocket.js';
import type { TestPocket } from '../support/test-pocket.js';
import { compareWithExamples } from '../support/webhook-shape.js';

let p: TestPocket;
freshPocketEachTest((fresh) => {
  p = fresh;
});

describe('pull_request webhooks', () => {
  test('tell everything that happens to a pull request, each in the shape GitHub sends', async () => {
    await pushTo(p, 'topic', { files: { 'a.txt': 'a' } });
    const { pulls, issues } = p.rest('wren').rest;
    const { number } = (await pulls.create({ ...p.at, title: 'Add a file', head: 'topic', base: 'main' })).data;
    const on = { ...p.at, issue_number: number };
    await pulls.update({ ...p.at, pull_number: number, body: 'Why' });
    await issues.addLabels({ ...on, labels: ['odd'] });
    await issues.removeLabel({ ...on, name: 'odd' });
    await issues.addAssignees({ ...on, assignees: ['ada'] });
    await issues.removeAssignees({ ...on, assignees: ['ada'] });
    await issues.lock({ ...on, lock_reason: 'resolved' });
    await issues.unlock(on);
    await pulls.requestReviewers({ ...p.at, pull_number: number, reviewers: ['ada'] });
    await pulls.removeRequestedReviewers({ ...p.at, pull_number: number, reviewers: ['ada'] });
    await pushTo(p, 'topic', { files: { 'b.txt': 'b' } });
    await pulls.update({ ...p.at, pull_number: number, state: 'closed' });
    await pulls.update({ ...p.at, pull_number: number, state: 'open' });
    await pulls.merge({ ...p.at, pull_number: number });
    const told = (await p.deliveries()).filter(({ event }) => event === 'pull_request');
    expect(told.map(({ payload }) => payload.action)).toEqual([
      'opened',
      'edited',
      'labeled',
      'unlabeled',
      'assigned',
      'unassigned',
      'locked',
      'unlocked',
      'review_requested',
      'review_request_removed',
      'synchronize',
      'closed',
      'reopened',
      'closed',
    ]);
    const compared = told.map((delivery) => ({ action: delivery.payload.action, ...compareWithExamples(delivery) }));
    expect(compared.filter(({ missing }) => missing.length > 0)).toEqual([]);
    expect(compared.filter(({ examples }) => examples > 0).length).toBeGreaterThan(5);
    for (const { payload } of told)
      expect(payload).toMatchObject({ number, pull_request: { number }, repository: { full_name: 'ada/sandbox' } });
  });
});
