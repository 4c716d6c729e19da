import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openRedis, type RedisServer } from '../../../src/adapters/redis/server/redis-server.js';
import type { GitHubEvent } from '../../../src/domain/intent/github-event.js';
import { formatNodeId, seedRepository } from '#pocket-github/testing';
import { pushTo } from '#pocket-github/test/branches';
import { type WebhookHarness, openWebhookHarness } from '../../support/service/webhook-harness.js';
import { openPocket, type TestPocket } from '#pocket-github/test/test-pocket';
import { RecordingLog } from '../../support/recording-log.js';

/* What people do on GitHub, and the events we make of it: whole payloads by the published schema, signed and posted. */

describe('what happens on GitHub', () => {
  const at = {} as { server: RedisServer; redis: Redis; harness: WebhookHarness; p: TestPocket };

  beforeAll(async () => {
    at.server = await openRedis({ path: '', clock: systemClock, log: new RecordingLog() });
    at.redis = new Redis(at.server.url);
  });

  afterAll(async () => {
    at.redis.disconnect();
    await at.server.close();
  });

  beforeEach(async () => {
    at.p = await openPocket();
    const { app, pocket } = at.p;
    at.harness = await openWebhookHarness({ redisUrl: at.server.url, self: { accountId: app.botId, appId: app.id } });
    for (const name of ['phase/ready', 'phase/code', 'auto/running', 'bug'])
      await at.p.rest('ada').rest.issues.createLabel({ ...at.p.at, name, color: '1b4f8a' });
    await at.p.rest('wren').rest.issues.create({ ...at.p.at, title: 'Ours', labels: ['phase/code', 'auto/running'] });
    await at.p.rest('wren').rest.issues.create({ ...at.p.at, title: 'Another' });
    await pocket.settle();
    pocket.world.tables.apps.update(app, { hook: { url: at.harness.url, secret: 'a webhook secret' } });
  });

  afterEach(async () => {
    await at.harness.close();
    await at.p.close();
    // Every Pocket counts its deliveries from the start.
    await at.redis.flushall();
  });

  /** The events that an action caused. */
  async function hearing(deed: () => Promise<unknown>): Promise<readonly GitHubEvent[]> {
    await deed();
    await at.p.pocket.settle();
    await at.harness.inbox.idle();
    return at.harness.events.splice(0);
  }

  const ref = { owner: 'ada', repo: 'sandbox', number: 1 };
  const wren = () => ({ id: at.p.users.wren.id, login: 'wren', kind: 'human' });
  const look = [{ kind: 'touched', ref }];

  test('a phase or run label that comes or goes is a reason to look; other labels are nothing', async () => {
    const { issues } = at.p.rest('wren').rest;
    const one = { ...at.p.at, issue_number: 1 };
    expect(await hearing(() => issues.addLabels({ ...one, labels: ['phase/ready', 'bug'] }))).toEqual(look);
    expect(await hearing(() => issues.removeLabel({ ...one, name: 'phase/ready' }))).toEqual(look);
    expect(await hearing(() => issues.removeLabel({ ...one, name: 'auto/running' }))).toEqual(look);
    expect(await hearing(() => issues.addLabels({ ...one, labels: ['auto/running'] }))).toEqual(look);
    expect(await hearing(() => issues.removeLabel({ ...one, name: 'bug' }))).toEqual([]);
  });

  test('a size label on a driven issue is a reason to look, on others it is nothing', async () => {
    const { issues } = at.p.rest('wren').rest;
    const one = { ...at.p.at, issue_number: 1 };
    expect(await hearing(() => issues.addLabels({ ...one, labels: ['size/L'] }))).toEqual([{ kind: 'touched', ref }]);
    expect(await hearing(() => issues.removeLabel({ ...one, name: 'size/L' }))).toEqual([{ kind: 'touched', ref }]);
    const { data } = await issues.create({ ...at.p.at, title: 'Another' });
    const other = { ...at.p.at, issue_number: data.number };
    expect(await hearing(() => issues.addLabels({ ...other, labels: ['size/L'] }))).toEqual([]);
  });

  test('what we do ourselves is nothing', async () => {
    const { issues } = at.p.rest('app').rest;
    const one = { ...at.p.at, issue_number: 1 };
    const heard = await hearing(async () => {
      await issues.addLabels({ ...one, labels: ['phase/ready'] });
      await issues.removeLabel({ ...one, name: 'auto/running' });
      const { data: comment } = await issues.createComment({ ...one, body: '/auto' });
      await issues.updateComment({ ...at.p.at, comment_id: comment.id, body: '/auto stop' });
      await issues.deleteComment({ ...at.p.at, comment_id: comment.id });
      await issues.update({ ...one, body: 'Ticked.' });
      await issues.update({ ...one, state: 'closed' });
    });
    expect(heard).toEqual([]);
  });

  test('a comment is queued when it may hold a command, on issues and on pull requests', async () => {
    const { issues, pulls } = at.p.rest('wren').rest;
    const say = (issue_number: number, body: string) =>
      hearing(() => issues.createComment({ ...at.p.at, issue_number, body }));
    expect(await say(1, 'Nice.')).toEqual([]);
    expect(await say(1, 'Please:\n/auto stop')).toMatchObject([
      { kind: 'comment', ref, isPull: false, author: wren() },
    ]);
    await pushTo(at.p, 'sluice/issue-1', { files: { 'a.txt': 'a' } });
    await pulls.create({ ...at.p.at, title: 'Work', head: 'sluice/issue-1', base: 'main' });
    expect(await say(3, '/auto status')).toMatchObject([{ kind: 'comment', ref: { number: 3 }, isPull: true }]);
  });

  test('a comment of ours that somebody edits or deletes is a reason to look; edited commands stay unheard', async () => {
    const one = { ...at.p.at, issue_number: 1 };
    const ours = await at.p.rest('app').rest.issues.createComment({ ...one, body: 'Status' });
    const theirs = await at.p.rest('wren').rest.issues.createComment({ ...one, body: 'Hm' });
    const { issues } = at.p.rest('ada').rest;
    const of = (comment: typeof ours) => ({ ...at.p.at, comment_id: comment.data.id });
    await hearing(async () => undefined);
    expect(await hearing(() => issues.updateComment({ ...of(ours), body: 'x' }))).toEqual([{ kind: 'touched', ref }]);
    expect(await hearing(() => issues.deleteComment(of(ours)))).toEqual([{ kind: 'touched', ref }]);
    expect(await hearing(() => issues.updateComment({ ...of(theirs), body: '/auto' }))).toEqual([]);
  });

  test('an issue of ours that is edited, closed or reopened is a reason to look; others, and one that is deleted, are nothing', async () => {
    const { issues } = at.p.rest('wren').rest;
    const change = (issue_number: number, what: object) =>
      hearing(() => issues.update({ ...at.p.at, issue_number, ...what }));
    expect(await change(1, { title: 'New', body: 'New' })).toEqual(look);
    expect(await change(1, { state: 'closed' })).toEqual(look);
    expect(await change(1, { state: 'open' })).toEqual(look);
    expect(await change(2, { title: 'New', state: 'closed' })).toEqual([]);
    const { node_id: id } = (await issues.get({ ...at.p.at, issue_number: 1 })).data;
    const ask = await at.p.graphql('ada');
    const gone = await hearing(() =>
      ask('mutation($id: ID!) { deleteIssue(input: { issueId: $id }) { clientMutationId } }', { id }),
    );
    expect(gone).toEqual([]);
  });

  test('an issue of ours that moves is a reason to look where it is now', async () => {
    const other = await seedRepository(at.p.pocket.world, { owner: at.p.users.ada, name: 'second' });
    const { node_id: id } = (await at.p.rest('ada').rest.issues.get({ ...at.p.at, issue_number: 1 })).data;
    const ask = await at.p.graphql('ada');
    const moved = await hearing(() =>
      ask(
        'mutation($id: ID!, $to: ID!) { transferIssue(input: { issueId: $id, repositoryId: $to }) { clientMutationId } }',
        { id, to: formatNodeId('repositories', other.id) },
      ),
    );
    expect(moved).toEqual([{ kind: 'touched', ref: { owner: 'ada', repo: 'second', number: 1 } }]);
  });

  test('sub-issues and blockers of an issue of ours are a reason to look at it', async () => {
    const { issues } = at.p.rest('wren').rest;
    const { data: other } = await issues.get({ ...at.p.at, issue_number: 2 });
    const { data: mine } = await issues.get({ ...at.p.at, issue_number: 1 });
    expect(await hearing(() => issues.addSubIssue({ ...at.p.at, issue_number: 1, sub_issue_id: other.id }))).toEqual(
      look,
    );
    expect(await hearing(() => issues.removeSubIssue({ ...at.p.at, issue_number: 1, sub_issue_id: other.id }))).toEqual(
      look,
    );
    const path = '/repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by';
    const block = (issue_number: number, issue_id: number) =>
      hearing(() => at.p.rest('wren').request(`POST ${path}`, { ...at.p.at, issue_number, issue_id }));
    expect(await block(1, other.id)).toEqual(look);
    expect(await hearing(() => issues.update({ ...at.p.at, issue_number: 2, state: 'closed' }))).toMatchObject([
      { kind: 'touched', ref: { number: 2 } },
    ]);
    await hearing(() =>
      at.p.rest('wren').request(`DELETE ${path}/{issue_id}`, { ...at.p.at, issue_number: 1, issue_id: other.id }),
    );
    expect(await block(2, mine.id)).toEqual([]);
  });

  test('whatever others do to the work branch’s pull request, checks and statuses is a reason to look', async () => {
    const { pulls, repos } = at.p.rest('wren').rest;
    await pushTo(at.p, 'sluice/issue-1', { files: { 'a.txt': 'a' } });
    await at.p.rest('app').rest.pulls.create({ ...at.p.at, title: 'Work', head: 'sluice/issue-1', base: 'main' });
    const pull = { ...at.p.at, pull_number: 3 };
    await hearing(async () => undefined);
    const push = () => pushTo(at.p, 'sluice/issue-1', { files: { 'a.txt': 'b' } });
    expect(await hearing(push)).toEqual(look);
    expect(await hearing(() => pulls.createReview({ ...pull, event: 'APPROVE' }))).toEqual(look);
    const { sha } = (await pulls.get(pull)).data.head;
    expect(await hearing(() => repos.createCommitStatus({ ...at.p.at, sha, state: 'success' }))).toEqual(look);
    expect(await hearing(() => pulls.update({ ...pull, state: 'closed' }))).toEqual(look);
    expect(await hearing(() => pulls.update({ ...pull, state: 'open' }))).toEqual(look);
    expect(await hearing(() => pulls.merge(pull))).toEqual(look);
  });

  test('repositories and installations that change are nothing: the sweep asks what there is', async () => {
    const { repos } = at.p.rest('ada').rest;
    const { apps } = at.p.rest('app-jwt').rest;
    const it = { installation_id: at.p.installation.id };
    const heard = await hearing(async () => {
      await repos.update({ ...at.p.at, name: 'beach' });
      await repos.update({ owner: 'ada', repo: 'beach', archived: true });
      await apps.suspendInstallation(it);
      await apps.unsuspendInstallation(it);
    });
    expect(heard).toEqual([]);
  });
});
