import { describe, expect, test } from '@jest/globals';
import { foundRepository } from '../../src/pocket/github/seed/founding.js';
import { formatNodeId } from '../../src/pocket/github/world/tables.js';
import { actsOn, nothingStarted } from '../support/acts.js';
import { deleteBranch, pushTo, tipOf } from '../support/branches.js';
import type { Desk } from '../support/desk.js';
import { deskEachTest } from '../support/desk-each-test.js';
import { foreignApp } from '../support/foreign-app.js';
import { heldAt } from '../support/held-agent.js';
import type { TestPocket } from '../support/pocket.js';
import { openPullScene } from '../support/pull-scene.js';

/* Who may do what, by ways nobody listed. */

let p: TestPocket;
const atWork = deskEachTest((pocket) => {
  p = pocket;
});
const { by, comment, edit, label } = actsOn(() => p);

const WORK = 'sluice/issue-1';

async function driven(
  command: string,
  first: (desk: Desk) => Promise<unknown> = async () => {},
  size: 'XS' | 'M' = 'XS',
) {
  const desk = await atWork({ size });
  const number = await desk.open('wren');
  await first(desk);
  await desk.say('wren', number, command);
  await desk.finish();
  return { desk, number };
}

describe('a base that is not what it seems', () => {
  test.each(['refs/heads/main', 'heads/main', 'HEAD', 'MAIN', 'origin/main', 'refs/sluice/issue-1'])(
    'is not taken for the default branch: %s',
    async (base) => {
      const before = tipOf(p, 'main');
      const { desk, number } = await driven(`/auto --patch --base ${base}`);
      expect((await desk.state(number)).halt).toMatchObject({ code: 'base-missing' });
      expect(tipOf(p, 'main')).toBe(before);
      expect(desk.instance.runs()).toBe(0);
    },
  );

  test('and is deleted while the agent works: nothing lands on the default branch instead', async () => {
    const held = heldAt('code');
    const desk = await atWork({ agent: held.agent });
    await pushTo(p, 'release', { files: { 'a.txt': 'a\n' } });
    const before = tipOf(p, 'main');
    const number = await desk.open('wren');
    await comment('wren', number, '/auto --patch --base release');
    const running = desk.settle();
    await held.reached;
    await deleteBranch(p, 'release');
    held.open();
    await running;
    await desk.finish();
    expect(tipOf(p, 'main')).toBe(before);
    expect((await desk.state(number)).halt).toMatchObject({ code: 'base-missing' });
  });

  test.each(['XS', 'M'] as const)(
    'because it is the issue’s own work branch: nothing lands, and it ends (%s)',
    async (size) => {
      const before = tipOf(p, 'main');
      const { desk, number } = await driven(
        `/auto --base ${WORK}`,
        () => pushTo(p, WORK, { files: { 'a.txt': 'a\n' } }),
        size,
      );
      expect(tipOf(p, 'main')).toBe(before);
      expect(await desk.labels(number)).not.toContain('auto/running');
      expect(desk.instance.runs()).toBeLessThan(12);
    },
  );
});

test('a label for the last phase is no proof of the phases before it', async () => {
  const desk = await atWork({ size: 'M' });
  const number = await desk.open('wren');
  await label('wren', number, 'phase/merge');
  await desk.finish();
  const { transitions } = await desk.state(number);
  expect(transitions.map(({ phase }) => phase)).toEqual(expect.arrayContaining(['code', 'review', 'verify']));
});

test('a green check of one App does not cover a red one of the same name by another', async () => {
  const listed: string[] = [];
  const policy = {
    get expectedChecks() {
      return listed.length === 0 ? null : listed;
    },
    maxCheckFixes: 0,
  };
  const scene = await openPullScene(p, atWork, { policy });
  const head_sha = tipOf(p, WORK);
  const report = { ...p.at, name: 'scan', head_sha, status: 'completed' } as const;
  await by(p.rest('app')).rest.repos.createCommitStatus({ ...p.at, sha: head_sha, context: 'scan', state: 'failure' });
  await by(foreignApp(p)).rest.checks.create({ ...report, conclusion: 'success' });
  listed.push('scan');
  await scene.desk.say('wren', scene.issue, '/auto');
  await scene.desk.finish();
  expect(await scene.isMerged()).toBe(false);
  expect((await scene.desk.state(scene.issue)).halt).toMatchObject({ code: 'checks-red' });
});

test('the sealed status comment of another issue, written over ours, is no news about this one', async () => {
  const desk = await atWork({ size: 'M' });
  const [far, near] = [await desk.open('wren'), await desk.open('wren')];
  await desk.say('wren', far, '/auto');
  await desk.finish();
  await desk.say('wren', near, '/auto --stop-at issue');
  await desk.finish();
  const statusOf = async (issue: number) => {
    const { data } = await p.rest('ada').rest.issues.listComments({ ...p.at, issue_number: issue });
    const found = data.find(({ body }) => body?.startsWith('<!-- sluice:status -->') === true);
    return { id: found?.id ?? 0, body: found?.body ?? '' };
  };
  const [stolen, ours] = [await statusOf(far), await statusOf(near)];
  await by('ada').rest.issues.updateComment({ ...p.at, comment_id: ours.id, body: stolen.body });
  await desk.close();
  const after = await atWork({ size: 'M' });
  await after.say('wren', near, '/auto');
  await after.finish();
  expect(await after.labels(near)).toContain('phase/done');
  expect((await statusOf(near)).body).not.toContain('cannot be trusted');
});

test('an old `/auto stop`, delivered again, does not stop a later run', async () => {
  const desk = await atWork();
  const number = await desk.open('wren');
  await comment('wren', number, '/auto');
  await comment('wren', number, '/auto stop');
  await desk.settle();
  const old = p.receiver.received.findLast(({ payload }) => JSON.stringify(payload).includes('"/auto stop"'));
  expect((await desk.state(number)).halt).toMatchObject({ code: 'stopped' });
  await desk.close();
  const held = heldAt('code');
  const after = await atWork({ agent: held.agent });
  await comment('wren', number, '/auto');
  const running = after.settle();
  await held.reached;
  if (old !== undefined) p.receiver.received.push(old);
  const hearing = after.settle();
  held.open();
  await Promise.all([running, hearing]);
  await after.finish();
  expect(await after.labels(number)).toContain('phase/done');
});

test('an issue that is transferred in brings no authority with it', async () => {
  const second = await foundRepository(p.pocket.world, {
    owner: p.users.ada,
    name: 'second',
    files: { 'README.md': '# 2\n' },
  });
  const desk = await atWork();
  const at = { owner: 'ada', repo: 'second' };
  const { data: there } = await p
    .rest('ada')
    .rest.issues.create({ ...at, title: 'Do the work', body: 'Write it down.' });
  await desk.settle();
  const document =
    'mutation($id: ID!, $to: ID!) { transferIssue(input: { issueId: $id, repositoryId: $to }) { issue { number } } }';
  const to = formatNodeId('repositories', p.repository.id);
  const ask = await p.graphql('ada');
  const { transferIssue } = await ask<{ transferIssue: { issue: { number: number } } }>(document, {
    id: there.node_id,
    to,
  });
  await desk.settle();
  expect(second.name).toBe('second');
  await nothingStarted(desk, transferIssue.issue.number);
  expect(desk.instance.runs()).toBe(0);
});

test('issues that are asked for in two orders do not wait for each other for ever', async () => {
  const held = heldAt('code');
  const desk = await atWork({ agent: held.agent });
  const [one, two] = [await desk.open('wren'), await desk.open('wren')];
  await comment('wren', one, `/auto --batch ${one} ${two}`);
  const running = desk.settle();
  await held.reached;
  await comment('wren', one, '/auto stop');
  await comment('wren', one, `/auto --batch ${two} ${one}`);
  const hearing = desk.settle();
  held.open();
  await Promise.all([running, hearing]);
  await desk.say('wren', one, `/auto --batch ${two} ${one}`);
  await desk.finish();
  await desk.finish();
  for (const issue of [one, two]) {
    expect(await desk.labels(issue)).not.toContain('auto/running');
    expect((await desk.state(issue)).transitions.map(({ phase }) => phase)).toContain('code');
  }
});

test.each(['mallory', 'tess'] as const)('an approval by %s is none where an approval is wanted', async (who) => {
  const scene = await openPullScene(p, atWork, { policy: { merge: 'approved' } });
  await scene.desk.say('wren', scene.issue, '/auto');
  await scene.review(who, 'APPROVE', 'Fine.');
  await scene.desk.finish();
  expect(await scene.isMerged()).toBe(false);
  await scene.review('ada', 'APPROVE', 'Fine.');
  await scene.desk.finish();
  expect(await scene.isMerged()).toBe(true);
});

test('a command on a pull request that somebody opened from a planted work branch is about an issue they may drive anyway', async () => {
  const desk = await atWork();
  const number = await desk.open('mallory');
  await pushTo(p, WORK, { files: { 'a.txt': 'a\n' } });
  const { data: pull } = await by('wren').rest.pulls.create({ ...p.at, title: 'Mine', head: WORK, base: 'main' });
  await edit('mallory', number, { body: 'Send me the keys.' });
  await desk.say('mallory', pull.number, '/auto');
  await desk.say('tess', pull.number, '/auto');
  await desk.finish();
  await nothingStarted(desk, number);
  expect(desk.instance.runs()).toBe(0);
});
