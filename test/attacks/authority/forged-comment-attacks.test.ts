import { expect, test } from '@jest/globals';
import { issueActions, expectNothingStarted } from '../../support/github/issue-actions.js';
import { engineHarnessEachTest } from '../../support/service/engine-harness-each-test.js';
import type { TestPocket } from '#pocket-github/test/test-pocket';

/* A30: whoever has the webhook secret can claim anything. GitHub's own answer decides what was said, by whom, where and when. */

let p: TestPocket;
const atWork = engineHarnessEachTest((pocket) => {
  p = pocket;
});

const { comment, by } = issueActions(() => p);

type Payload = Record<string, Record<string, unknown>>;

/** The newest comment webhook, held back. */
async function heldBack() {
  await p.deliveries();
  const at = p.receiver.received.findLastIndex(({ event }) => event === 'issue_comment');
  const [taken] = p.receiver.received.splice(at, 1);
  if (taken === undefined) throw new Error('no comment was told of');
  return taken;
}

/** Delivers it with other claims about the comment and the issue. */
async function forge(claims: { comment?: object; sender?: object; issue?: object } = {}): Promise<void> {
  const taken = await heldBack();
  const payload = taken.payload as Payload;
  const forged = {
    ...payload,
    comment: { ...payload['comment'], ...claims.comment },
    sender: { ...payload['sender'], ...claims.sender },
    issue: { ...payload['issue'], ...claims.issue },
  };
  p.receiver.received.push({ ...taken, payload: forged });
}

const wren = () => ({ id: p.users.wren.id, login: 'wren' });
const NOT_OBEYED = 'comment differs from its webhook: command ignored';

test('A30: a comment of somebody else, claimed to be a permitted person’s command, is not carried out', async () => {
  const harness = await atWork();
  const number = await harness.open('mallory');
  await harness.settle();
  await comment('mallory', number, 'hello');
  await forge({ comment: { body: '/auto', user: wren() }, sender: wren() });
  await harness.settle();
  await expectNothingStarted(harness, number);
  expect(harness.log.lines.map(({ message }) => message)).toContain(NOT_OBEYED);
  expect(await harness.said(number)).toEqual([]);
});

test('A30: a stranger’s own `/auto` claimed in a permitted person’s name is not carried out', async () => {
  const harness = await atWork();
  const number = await harness.open('mallory');
  await harness.settle();
  await comment('mallory', number, '/auto');
  await forge({ comment: { user: wren() }, sender: wren() });
  await harness.settle();
  await expectNothingStarted(harness, number);
  expect(harness.log.lines.map(({ message }) => message)).toContain(NOT_OBEYED);
});

test('A30: a permitted person’s comment with other words put into it is not carried out', async () => {
  const harness = await atWork();
  const number = await harness.open('mallory');
  await harness.settle();
  await comment('wren', number, 'Thank you.');
  await forge({ comment: { body: '/auto --patch' } });
  await harness.settle();
  await expectNothingStarted(harness, number);
  expect(harness.log.lines.map(({ message }) => message)).toContain(NOT_OBEYED);
});

test('A30: a permitted person’s command claimed to stand on another issue starts nothing there', async () => {
  const harness = await atWork();
  const meant = await harness.open('wren');
  const other = await harness.open('mallory');
  await harness.settle();
  await comment('wren', meant, '/auto');
  await forge({ issue: { number: other } });
  await harness.settle();
  await expectNothingStarted(harness, other);
  await expectNothingStarted(harness, meant);
  expect(harness.log.lines.map(({ message }) => message)).toContain(NOT_OBEYED);
});

test('A30: an old command delivered as a new one does not lift a stop', async () => {
  const harness = await atWork();
  const number = await harness.open('wren');
  await harness.settle();
  // Its webhook never arrived, so no memory of answered comments can help.
  await comment('wren', number, '/auto');
  const old = await heldBack();
  p.clock.advance(60_000);
  await comment('wren', number, '/auto');
  await comment('wren', number, '/auto stop');
  await harness.settle();
  expect((await harness.state(number)).halt).toMatchObject({ code: 'stopped' });
  p.clock.advance(60_000);
  const payload = old.payload as Payload;
  const now = new Date(p.clock.now()).toISOString();
  p.receiver.received.push({
    ...old,
    payload: { ...payload, comment: { ...payload['comment'], created_at: now } },
  });
  await harness.settle();
  expect((await harness.state(number)).halt).toMatchObject({ code: 'stopped' });
});

test('A30: a command that was changed since it was written is not carried out, and its author learns what to do', async () => {
  const harness = await atWork();
  const number = await harness.open('wren');
  await harness.settle();
  const { data } = await comment('wren', number, '/auto --patch');
  await by('wren').rest.issues.updateComment({ ...p.at, comment_id: data.id, body: '/auto --pr' });
  await harness.settle();
  await expectNothingStarted(harness, number);
  expect(await harness.said(number)).toEqual([expect.stringContaining('Write the command in a new comment')]);
  await harness.say('wren', number, '/auto --pr');
  expect((await harness.state(number)).run?.options).toEqual({ route: 'pr' });
});

test('A30: a command that was deleted again is not carried out', async () => {
  const harness = await atWork();
  const number = await harness.open('wren');
  await harness.settle();
  const { data } = await comment('wren', number, '/auto');
  await by('wren').rest.issues.deleteComment({ ...p.at, comment_id: data.id });
  await harness.settle();
  await expectNothingStarted(harness, number);
});

test('A30: comparing costs no request more', async () => {
  const harness = await atWork();
  const number = await harness.open('wren');
  await harness.settle();
  const since = p.pocket.journal.lastSeq();
  await harness.say('wren', number, '/auto status');
  const operations = p.pocket.journal.requests(since).flatMap(({ operation }) => operation ?? []);
  expect(operations.filter((name) => name === 'Acknowledge')).toHaveLength(1);
  expect(operations.filter((name) => name === 'Comment')).toEqual([]);
});
