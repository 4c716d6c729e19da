import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { findProgram } from '../../../src/adapters/redis/server/find-program.js';
import { launchProgram } from '../../../src/adapters/redis/server/launch-program.js';
import { awaitRedis } from '../../../src/adapters/redis/redis-client.js';
import { openRedis, type RedisServer } from '../../../src/adapters/redis/server/redis-server.js';
import {
  commentPayload,
  type WebhookHarness,
  openWebhookHarness,
  postWebhook,
} from '../../support/service/webhook-harness.js';
import { RecordingLog } from '../../support/recording-log.js';
import { until } from '../../support/until.js';

const STUCK_PROCESS = fileURLToPath(new URL('../../support/service/stuck-webhook-process.js', import.meta.url));
const COMMENT = { event: 'issue_comment', payload: commentPayload() };
const TALK = { event: 'issue_comment', payload: commentPayload('I like it.') };

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

describe('webhooks and Redis', () => {
  const at = { harnesses: [] as WebhookHarness[] } as {
    server: RedisServer;
    redis: Redis;
    pid: number;
    harnesses: WebhookHarness[];
  };

  beforeEach(async () => {
    at.server = await openRedis({ path: process.env['PATH'] ?? '', clock: systemClock, log: new RecordingLog() });
    at.redis = new Redis(at.server.url, { retryStrategy: () => null });
    at.redis.on('error', () => undefined);
    at.pid = Number(/process_id:(\d+)/.exec(await at.redis.info('server'))?.[1]);
  });

  afterEach(async () => {
    await Promise.all(at.harnesses.splice(0).map((harness) => harness.close()));
    at.redis.disconnect();
    await at.server.close();
  });

  const open = async (lockMs = 15_000): Promise<WebhookHarness> => {
    const harness = await openWebhookHarness({ redisUrl: at.server.url, lockMs });
    at.harnesses.push(harness);
    return harness;
  };

  test('a Redis that hangs is a 503 while it hangs, and what was asked meanwhile is still handled at most once', async () => {
    const harness = await open();
    process.kill(at.pid, 'SIGSTOP');
    // Both are answered before it goes on: GitHub is not kept waiting for it.
    const refused = await postWebhook(harness.url, { ...COMMENT, id: 'd-1' });
    const harmless = await postWebhook(harness.url, TALK);
    process.kill(at.pid, 'SIGCONT');
    expect([refused.status, harmless.status]).toEqual([503, 202]);
    expect((await postWebhook(harness.url, { ...COMMENT, id: 'd-1' })).status).toBe(202);
    await harness.inbox.idle();
    expect(harness.events).toHaveLength(1);
  });

  test('a Redis that has gone is a 503, and when it is back deliveries are taken again', async () => {
    // One that nobody starts again but this test.
    const [path, place] = [process.env['PATH'] ?? '', { port: await freePort(), password: 'a-password' }];
    const program = (await findProgram('redis-server', path)) ?? (await findProgram('valkey-server', path));
    if (program === null) throw new Error('there is no Redis on PATH');
    const launch = launchProgram(program, path);
    const url = `redis://:${encodeURIComponent(place.password)}@127.0.0.1:${place.port}`;
    const first = await launch(place);
    await awaitRedis(url, systemClock, 30_000);
    const harness = await openWebhookHarness({ redisUrl: url, lockMs: 15_000 });
    at.harnesses.push(harness);
    first.kill();
    await first.ended;
    expect((await postWebhook(harness.url, { ...COMMENT, id: 'd-1' })).status).toBe(503);
    const second = await launch(place);
    await until(
      'the delivery is taken',
      async () => (await postWebhook(harness.url, { ...COMMENT, id: 'd-1' })).status === 202,
    );
    await harness.inbox.idle();
    expect(harness.events).toHaveLength(1);
    await Promise.all(at.harnesses.splice(0).map((one) => one.close()));
    second.kill();
    await second.ended;
  });

  test('a Redis that is full is a 503', async () => {
    const harness = await open();
    await at.redis.config('SET', 'maxmemory', '1');
    expect((await postWebhook(harness.url, COMMENT)).status).toBe(503);
    await at.redis.config('SET', 'maxmemory', '0');
    expect((await postWebhook(harness.url, COMMENT)).status).toBe(202);
  });

  test('a delivery acknowledged by a process that was killed before dealing with it is dealt with by another', async () => {
    const child = spawn(process.execPath, [STUCK_PROCESS, at.server.url], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const { value: url = '' } = (await lines.next()) as { value?: string };
    expect((await postWebhook(url, { ...COMMENT, id: 'd-1' })).status).toBe(202);
    expect((await lines.next()).value).toBe('handling');
    child.kill('SIGKILL');
    await once(child, 'exit');
    // So long a job stays with a dead process; a busy machine must not make ours look dead.
    const harness = await open(3_000);
    await until('the delivery is heard', () => harness.events.length > 0);
    expect(harness.events).toMatchObject([{ kind: 'comment', body: '/auto' }]);
    expect((await postWebhook(harness.url, { ...COMMENT, id: 'd-1' })).status).toBe(202);
    await harness.inbox.idle();
    expect(harness.events).toHaveLength(1);
  });
});
