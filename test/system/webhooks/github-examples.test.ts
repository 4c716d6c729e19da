import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openRedis, type RedisServer } from '../../../src/adapters/redis/server/redis-server.js';
import { HANDLED_EVENTS } from '../../../src/entry/webhooks/may-matter.js';
import { type WebhookHarness, openWebhookHarness, postWebhook, SELF } from '../../support/service/webhook-harness.js';
import { RecordingLog } from '../../support/recording-log.js';

/* Payloads GitHub was seen to send, through the real handler: as they are, and changed so that they are about our work. */

type Payload = Record<string, unknown> & { readonly action?: string };

const DEFINITIONS = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly {
  readonly name: string;
  readonly examples: readonly Payload[];
}[];

const examplesOf = (name: string): readonly Payload[] =>
  DEFINITIONS.find((definition) => definition.name === name)?.examples ?? [];

/** What each becomes when it is about our work. Actions that are not here are nothing. */
const BECOMES: Readonly<Record<string, string>> = {
  'check_run completed': 'touched',
  'check_suite completed': 'touched',
  'issue_comment created': 'comment',
  'issue_comment deleted': 'touched',
  'issue_comment edited': 'touched',
  'issues edited': 'touched',
  'issues labeled': 'touched',
  'issues reopened': 'touched',
  'issues transferred': 'touched',
  'issues unlabeled': 'touched',
  'pull_request closed': 'touched',
  'pull_request converted_to_draft': 'touched',
  'pull_request ready_for_review': 'touched',
  'pull_request reopened': 'touched',
  'pull_request synchronize': 'touched',
  'pull_request_review dismissed': 'touched',
  'pull_request_review submitted': 'touched',
  status: 'touched',
};

/** Not among the examples: what Pocket GitHub sends of these, by the published schema, is heard in pocket-events.test.ts. */
const WITHOUT_EXAMPLES = ['issue_dependencies', 'sub_issues'];

const BRANCH = 'sluice/issue-7';

/** The same payload about an issue we drive, its work branch, a phase label, a command, or a comment of ours. */
function aboutOurs(payload: Payload): Payload {
  const copy = structuredClone(payload) as Payload & {
    issue?: { labels?: unknown[] };
    label?: { name: string };
    comment?: { body: string; user: { id: number } };
    pull_request?: { head: { ref: string } };
    check_suite?: { head_branch: string };
    check_run?: { check_suite: { head_branch: string } };
    branches?: unknown[];
    changes?: Record<string, unknown>;
    sender?: object;
  };
  if (copy.issue !== undefined) copy.issue.labels = [...(copy.issue.labels ?? []), { name: 'auto/running' }];
  if (copy.label !== undefined) copy.label.name = 'phase/ready';
  if (copy.comment !== undefined) {
    if (copy.action === 'created') copy.comment.body = 'Let us do it.\r\n\r\n/auto';
    else copy.comment.user.id = SELF.accountId;
  }
  if (copy.pull_request !== undefined) copy.pull_request.head.ref = BRANCH;
  if (copy.check_suite !== undefined) copy.check_suite.head_branch = BRANCH;
  if (copy.check_run !== undefined) copy.check_run.check_suite.head_branch = BRANCH;
  if (copy.branches !== undefined) copy.branches = [...copy.branches, { name: BRANCH }];
  if (copy.issue !== undefined && copy.action === 'edited')
    copy.changes = { ...copy.changes, body: { from: 'before' } };
  return copy;
}

const titleOf = (name: string, { action }: Payload): string => (action === undefined ? name : `${name} ${action}`);

describe('GitHub’s own examples', () => {
  const at = {} as { server: RedisServer; harness: WebhookHarness };

  beforeAll(async () => {
    at.server = await openRedis({ path: '', clock: systemClock, log: new RecordingLog() });
    at.harness = await openWebhookHarness({ redisUrl: at.server.url });
  });

  afterEach(() => void at.harness.events.splice(0));

  afterAll(async () => {
    await at.harness.close();
    await at.server.close();
  });

  test('there are some for every event we listen to, but for those named', () => {
    expect(HANDLED_EVENTS.filter((name) => examplesOf(name).length === 0)).toEqual(WITHOUT_EXAMPLES);
  });

  test('every one of them, listened to or not, is acknowledged, and none of the rest of the world is about us', async () => {
    for (const { name, examples } of DEFINITIONS) {
      for (const payload of examples) {
        expect([titleOf(name, payload), (await postWebhook(at.harness.url, { event: name, payload })).status]).toEqual([
          titleOf(name, payload),
          202,
        ]);
      }
    }
    await at.harness.inbox.idle();
    expect(at.harness.events).toEqual([]);
  });

  const cases = HANDLED_EVENTS.flatMap((name) =>
    examplesOf(name).map((payload, index) => [titleOf(name, payload), index, name, payload] as const),
  );

  test.each(cases)('%s (%i) about our work is parsed as what it is', async (title, _, name, payload) => {
    await postWebhook(at.harness.url, { event: name, payload: aboutOurs(payload) });
    await at.harness.inbox.idle();
    expect(at.harness.events.map(({ kind }) => kind)).toEqual(BECOMES[title] === undefined ? [] : [BECOMES[title]]);
  });

  test('an issue that moves is touched where it is now', async () => {
    const [payload = {}] = examplesOf('issues').filter(({ action }) => action === 'transferred');
    const { new_issue: issue, new_repository: repository } = payload['changes'] as {
      readonly new_issue: { readonly number: number };
      readonly new_repository: { readonly name: string; readonly owner: { readonly login: string } };
    };
    await postWebhook(at.harness.url, { event: 'issues', payload: aboutOurs(payload) });
    await at.harness.inbox.idle();
    const ref = { owner: repository.owner.login, repo: repository.name, number: issue.number };
    expect(at.harness.events).toEqual([{ kind: 'touched', ref }]);
  });
});
