import { describe, expect, test } from '@jest/globals';
import { parseGitHubEvent } from '../../../../../src/entry/webhooks/events/parse-event.js';

/* Which webhooks matter. That the real ones have this shape is what the demo and Pocket's own tests show. */

const SELF = { accountId: 900, appId: 7 };
const repository = { name: 'tideline', owner: { login: 'ada' } };
const wren = { id: 2, login: 'wren', type: 'User' };
const bot = { id: 900, login: 'sluice-dev[bot]', type: 'Bot' };
const other = { id: 901, login: 'ci[bot]', type: 'Bot' };

const comment = (sender: object, action = 'created') => ({
  action,
  repository,
  sender,
  issue: { number: 7, updated_at: '2026-01-05T09:00:00Z' },
  comment: { node_id: 'IC_1', body: '/auto', created_at: '2026-01-05T09:00:00Z', user: sender },
});
const suite = (head_branch: string | null, appId = 1, action = 'completed') => ({
  action,
  repository,
  sender: other,
  check_suite: { head_branch, app: { id: appId } },
});
const run = (head_branch: string, appId = 1) => ({
  action: 'completed',
  repository,
  sender: other,
  check_run: { app: { id: appId }, check_suite: { head_branch } },
});
const pull = (action: string, sender: object, ref = 'sluice/issue-7') => ({
  action,
  repository,
  sender,
  pull_request: { head: { ref } },
});
const status = (sender: object, ...names: string[]) => ({
  repository,
  sender,
  branches: names.map((name) => ({ name })),
});

const TOUCHED = { kind: 'touched', ref: { owner: 'ada', repo: 'tideline', number: 7 } };

describe('a webhook', () => {
  test('of a person’s new comment carries the comment', () => {
    expect(parseGitHubEvent('issue_comment', comment(wren), SELF)).toEqual({
      kind: 'comment',
      ref: { owner: 'ada', repo: 'tideline', number: 7 },
      isPull: false,
      commentId: 'IC_1',
      at: Date.UTC(2026, 0, 5, 9),
      author: { id: 2, login: 'wren', kind: 'human' },
      body: '/auto',
    });
  });

  test.each([
    ['check_suite', suite('sluice/issue-7')],
    ['check_run', run('sluice/issue-7')],
    ['status', status(wren, 'main', 'sluice/issue-7')],
    ['pull_request', pull('closed', wren)],
    ['pull_request', pull('synchronize', wren)],
  ])('%s on a work branch is a reason to look: %j', (name, payload) => {
    expect(parseGitHubEvent(name, payload, SELF)).toEqual(TOUCHED);
  });

  test.each([
    ['an edited comment', 'issue_comment', comment(wren, 'edited')],
    ['our own comment', 'issue_comment', comment(bot)],
    ['another bot’s comment', 'issue_comment', comment(other)],
    ['our own check suite', 'check_suite', suite('sluice/issue-7', 7)],
    ['our own check run', 'check_run', run('sluice/issue-7', 7)],
    ['a suite that goes on', 'check_suite', suite('sluice/issue-7', 1, 'requested')],
    ['a suite of no branch', 'check_suite', suite(null)],
    ['a suite of another branch', 'check_suite', suite('sluice/issue-7-again')],
    ['our own merge', 'pull_request', pull('closed', bot)],
    ['our own push', 'pull_request', pull('synchronize', bot)],
    ['a new pull request', 'pull_request', pull('opened', wren)],
    ['a status elsewhere', 'status', status(wren, 'main')],
    ['a ping', 'ping', { zen: 'Keep it logically awesome.' }],
    ['something that is not what it says', 'issue_comment', { action: 'created' }],
  ])('of %s is nothing', (_, name, payload) => {
    expect(parseGitHubEvent(name, payload, SELF)).toBeNull();
  });
});
