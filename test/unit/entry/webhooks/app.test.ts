import { describe, expect, test } from '@jest/globals';
import { HANDLED_EVENTS, mayMatter } from '../../../../src/entry/webhooks/may-matter.js';
import { loadListeners } from '../../../support/service/app-listeners.js';

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

const { names, parse } = loadListeners(SELF);

describe('a webhook', () => {
  test('of a person’s new comment carries the comment', async () => {
    expect(await parse('issue_comment', comment(wren))).toEqual([
      {
        kind: 'comment',
        ref: { owner: 'ada', repo: 'tideline', number: 7 },
        isPull: false,
        commentId: 'IC_1',
        at: Date.UTC(2026, 0, 5, 9),
        author: { id: 2, login: 'wren', kind: 'human' },
        body: '/auto',
      },
    ]);
  });

  test.each([
    ['check_suite', suite('sluice/issue-7')],
    ['check_run', run('sluice/issue-7')],
    ['status', status(wren, 'main', 'sluice/issue-7')],
    ['pull_request', pull('closed', wren)],
    ['pull_request', pull('synchronize', wren)],
  ])('%s on a work branch is a reason to look: %j', async (name, payload) => {
    expect(await parse(name, payload)).toEqual([TOUCHED]);
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
  ])('of %s is nothing', async (_, name, payload) => {
    expect(await parse(name, payload)).toEqual([]);
  });
});

const issue = (more: object, action = 'closed') => ({
  action,
  repository,
  sender: wren,
  issue: { number: 7, labels: [], ...more },
  label: { name: 'bug' },
});

describe('the look at a text', () => {
  test('is taken at every webhook the app listens to, and at no other', () => {
    expect([...new Set(names.map((name) => name.replace(/\..*/, '')))].sort()).toEqual([...HANDLED_EVENTS].sort());
  });

  test.each([
    ['a command', 'issue_comment', comment(wren)],
    [
      'a comment of ours',
      'issue_comment',
      { ...comment(wren, 'edited'), comment: { ...comment(bot).comment, body: 'x' } },
    ],
    ['a work branch', 'check_suite', suite('sluice/issue-7')],
    ['a label of ours in other letters', 'issues', issue({ labels: [{ name: 'Phase/Code' }] })],
    [
      'a size on an issue of ours',
      'issues',
      { ...issue({ labels: ['AUTO/running'] }, 'labeled'), label: { name: 'size/L' } },
    ],
    ['a label that is taken off', 'issues', { ...issue({}, 'unlabeled'), label: { name: ' auto/running ' } }],
    [
      'a part of another issue',
      'issues',
      issue({ parent_issue_url: 'https://api.github.com/repos/ada/tideline/issues/1' }),
    ],
    ['an issue that others wait for', 'issues', issue({ issue_dependencies_summary: { total_blocking: 12 } })],
    [
      'a sub-issue',
      'sub_issues',
      { ...issue({}, 'sub_issue_added'), parent_issue: { number: 7, labels: ['phase/Code'] } },
    ],
    [
      'a blocker',
      'issue_dependencies',
      { ...issue({}, 'blocked_by_added'), blocked_issue: { number: 7, labels: ['auto/paused'] } },
    ],
  ])('lets %s pass, however it is written', async (_, name, payload) => {
    expect(await parse(name, payload)).toHaveLength(1);
    const compact = JSON.stringify(payload);
    for (const text of [compact, compact.replaceAll('/', '\\/'), JSON.stringify(payload, null, 2)])
      expect(mayMatter(name, Buffer.from(text), SELF)).toBe(true);
  });

  test.each([
    ['talk', 'issue_comment', { ...comment(wren), comment: { body: 'Nice.' } }],
    ['another branch', 'check_suite', suite('main')],
    [
      'an issue nobody drives',
      'issues',
      issue({ parent_issue_url: null, issue_dependencies_summary: { total_blocking: 0 } }),
    ],
    [
      'relations of such an issue',
      'sub_issues',
      { ...issue({}, 'sub_issue_added'), parent_issue: { number: 7, labels: ['bug'] } },
    ],
    ['a webhook nobody listens to', 'push', comment(wren)],
    ['a name every object has', 'constructor', comment(wren)],
  ])('stops %s', (_, name, payload) => {
    expect(mayMatter(name, Buffer.from(JSON.stringify(payload)), SELF)).toBe(false);
  });
});
