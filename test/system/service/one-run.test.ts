import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { postWebhook } from '../../support/service/webhook-harness.js';
import type { ReceivedWebhook } from '#pocket-github/test/webhook-receiver';
import { openServiceHarness, type ServiceHarness } from '../../support/service/service-harness.js';

/* A running service with its real server, Redis and git. The kill switch is on: everything is asked for, and nothing spawned. */

const LIMIT_MS = 120_000;

describe('a service whose kill switch is on', () => {
  const at = {} as { harness: ServiceHarness };

  beforeAll(async () => {
    at.harness = await openServiceHarness();
    expect((await at.harness.api('PUT', '/api/kill-switch', { on: true, why: 'we look first' })).status).toBe(200);
  }, LIMIT_MS);
  afterAll(() => at.harness.close());

  const auto = (number: number): string => `/api/repos/ada/sandbox/issues/${number}/auto`;
  const say = (number: number, body: string) =>
    at.harness.p.rest('wren').rest.issues.createComment({ ...at.harness.p.at, issue_number: number, body });

  /** The webhooks about an issue, as GitHub sent them. */
  const sent = async (event: string, number: number): Promise<readonly ReceivedWebhook[]> =>
    (await at.harness.p.deliveries()).filter(
      (one) => one.event === event && (one.payload['issue'] as { number?: number } | undefined)?.number === number,
    );
  const deliver = ({ event, id, body }: ReceivedWebhook): Promise<Response> =>
    postWebhook(at.harness.service.webhookUrl, { event, id, payload: body });

  /** One run, one status comment, and no agent. */
  async function expectOneRun(number: number): Promise<void> {
    const { harness } = at;
    const state = await harness.state(number);
    expect(state.transitions.filter(({ because }) => because.endsWith('asked for it'))).toHaveLength(1);
    expect(state).toMatchObject({ run: { id: expect.any(String) }, lease: null, counters: { agentRuns: 0 } });
    const statuses = await harness.statuses(number);
    expect(statuses).toEqual([expect.stringMatching(/Waiting for Sluice to be switched on again[^]*we look first/)]);
    const runs = (await (await harness.api('GET', '/api/runs')).json()) as {
      runs: readonly { issue: { number: number } }[];
    };
    expect(runs.runs.filter(({ issue }) => issue.number === number)).toHaveLength(1);
  }

  test(
    'the same delivery a hundred times at once is one run, and is taken every time',
    async () => {
      const number = await at.harness.open();
      await say(number, '/auto');
      const [delivery] = await sent('issue_comment', number);
      if (delivery === undefined) throw new Error('nothing was sent');
      const answers = await Promise.all(Array.from({ length: 100 }, () => deliver(delivery)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
      await at.harness.service.settled();
      await expectOneRun(number);
    },
    LIMIT_MS,
  );

  test(
    'a comment, a label, the API and the sweep at the same moment are one run',
    async () => {
      const { harness } = at;
      const number = await harness.open();
      await Promise.all([
        say(number, '/auto'),
        harness.p
          .rest('wren')
          .rest.issues.addLabels({ ...harness.p.at, issue_number: number, labels: ['phase/ready'] }),
      ]);
      const news = [...(await sent('issue_comment', number)), ...(await sent('issues', number))];
      const [started] = await Promise.all([
        harness.api('POST', auto(number), {}),
        harness.service.sweep.pass(),
        ...news.map(deliver),
      ]);
      expect([201, 409]).toContain(started.status);
      await harness.service.settled();
      await harness.service.sweep.pass();
      await harness.service.settled();
      await expectOneRun(number);
    },
    LIMIT_MS,
  );

  test(
    'what people wrote is not left behind in Redis or in the log',
    async () => {
      const { harness } = at;
      const number = await harness.open('The CANARY sings.');
      await say(number, '/auto\nCANARY');
      const [delivery] = await sent('issue_comment', number);
      if (delivery !== undefined) await deliver(delivery);
      await harness.service.settled();
      expect((await harness.state(number)).run).not.toBeNull();
      const redis = new Redis(harness.redisUrl);
      const left: string[] = [];
      for (const key of await redis.keys('*')) left.push(key, await everything(redis, key));
      redis.disconnect();
      expect(left.length).toBeGreaterThan(10);
      expect(left.filter((text) => text.includes('CANARY'))).toEqual([]);
      expect(JSON.stringify(harness.log.lines)).not.toContain('CANARY');
    },
    LIMIT_MS,
  );

  test(
    'goes on when the switch is off, and reads a repository’s own switch before it spawns',
    async () => {
      const { harness } = at;
      const path = '.github/sluice.yml';
      const file = { ...harness.p.at, path, message: 'Not now' };
      const content = Buffer.from('enabled: false\n').toString('base64');
      const { data } = await harness.p.rest('ada').rest.repos.createOrUpdateFileContents({ ...file, content });
      const number = await harness.open();
      await harness.api('POST', auto(number), {});
      await harness.service.settled();
      await harness.api('PUT', '/api/kill-switch', { on: false, why: 'we have looked' });
      await harness.service.engine.queue.wake({ ...harness.p.at, number });
      await harness.service.settled();
      expect((await harness.state(number)).counters.agentRuns).toBe(0);
      expect(await harness.statuses(number)).toEqual([expect.stringContaining('enabled: false')]);
      await harness.p.rest('ada').rest.repos.deleteFile({ ...file, sha: data.content?.sha ?? '' });
      await harness.service.engine.queue.wake({ ...harness.p.at, number });
      await harness.service.settled();
      const { transitions } = await harness.state(number);
      expect(transitions.map(({ kind }) => kind)).toContain('taken');
    },
    LIMIT_MS,
  );
});

async function everything(redis: Redis, key: string): Promise<string> {
  switch (await redis.type(key)) {
    case 'string':
      return (await redis.get(key)) ?? '';
    case 'hash':
      return JSON.stringify(await redis.hgetall(key));
    case 'list':
      return JSON.stringify(await redis.lrange(key, 0, -1));
    case 'set':
      return JSON.stringify(await redis.smembers(key));
    case 'zset':
      return JSON.stringify(await redis.zrange(key, '0', '-1'));
    case 'stream':
      return JSON.stringify(await redis.xrange(key, '-', '+'));
    default:
      return '';
  }
}
