import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { systemClock } from '../../src/adapters/clock/system-clock.js';
import { openRedis, type RedisServer } from '../../src/adapters/queue/redis-server.js';
import { commentPayload, type FrontDoor, openFrontDoor, post } from '../support/front-door.js';
import { RecordingLog } from '../support/recording-log.js';

const DEAF_DOOR = fileURLToPath(new URL('../support/deaf-door.js', import.meta.url));
const COMMENT = { event: 'issue_comment', payload: commentPayload() };
const TALK = { event: 'issue_comment', payload: commentPayload('I like it.') };
/** What GitHub may be kept waiting when Redis is in trouble, on a busy machine. */
const SOON_MS = 2_000;

describe('webhooks and Redis', () => {
  const at = { doors: [] as FrontDoor[] } as { server: RedisServer; redis: Redis; pid: number; doors: FrontDoor[] };

  beforeEach(async () => {
    at.server = await openRedis({ path: process.env['PATH'] ?? '', clock: systemClock, log: new RecordingLog() });
    at.redis = new Redis(at.server.url, { retryStrategy: () => null });
    at.redis.on('error', () => undefined);
    at.pid = Number(/process_id:(\d+)/.exec(await at.redis.info('server'))?.[1]);
  });

  afterEach(async () => {
    await Promise.all(at.doors.splice(0).map((door) => door.close()));
    at.redis.disconnect();
    await at.server.close();
  });

  const open = async (lockMs = 15_000): Promise<FrontDoor> => {
    const door = await openFrontDoor({ redisUrl: at.server.url, lockMs });
    at.doors.push(door);
    return door;
  };

  const timed = async (answer: Promise<Response>): Promise<{ readonly status: number; readonly ms: number }> => {
    const started = performance.now();
    const { status } = await answer;
    return { status, ms: performance.now() - started };
  };

  test('a Redis that hangs is a 503 soon, and what was asked meanwhile is still heard at most once', async () => {
    const door = await open();
    process.kill(at.pid, 'SIGSTOP');
    const refused = await timed(post(door.url, { ...COMMENT, id: 'd-1' }));
    const harmless = await timed(post(door.url, TALK));
    process.kill(at.pid, 'SIGCONT');
    expect(refused.status).toBe(503);
    expect(refused.ms).toBeLessThan(SOON_MS);
    expect(harmless.status).toBe(202);
    expect((await post(door.url, { ...COMMENT, id: 'd-1' })).status).toBe(202);
    await door.inbox.idle();
    expect(door.heard).toHaveLength(1);
  });

  test('a Redis that has gone is a 503 at once, and when it is back deliveries are taken again', async () => {
    const door = await open();
    const gone = once(at.redis, 'end');
    process.kill(at.pid, 'SIGKILL');
    await gone;
    const refused = await timed(post(door.url, { ...COMMENT, id: 'd-1' }));
    expect(refused.status).toBe(503);
    expect(refused.ms).toBeLessThan(SOON_MS);
    // The private server is started again, empty.
    for (let status = 0; status !== 202; ) ({ status } = await post(door.url, { ...COMMENT, id: 'd-1' }));
    await door.inbox.idle();
    expect(door.heard).toHaveLength(1);
  });

  test('a Redis that is full is a 503', async () => {
    const door = await open();
    await at.redis.config('SET', 'maxmemory', '1');
    expect((await post(door.url, COMMENT)).status).toBe(503);
    await at.redis.config('SET', 'maxmemory', '0');
    expect((await post(door.url, COMMENT)).status).toBe(202);
  });

  test('a delivery acknowledged by a process that was killed before dealing with it is dealt with by another', async () => {
    const child = spawn(process.execPath, [DEAF_DOOR, at.server.url], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const { value: url = '' } = (await lines.next()) as { value?: string };
    expect((await post(url, { ...COMMENT, id: 'd-1' })).status).toBe(202);
    expect((await lines.next()).value).toBe('handling');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const door = await open(500);
    while (door.heard.length === 0) await door.inbox.idle();
    expect(door.heard).toMatchObject([{ kind: 'comment', body: '/auto' }]);
    expect((await post(door.url, { ...COMMENT, id: 'd-1' })).status).toBe(202);
    await door.inbox.idle();
    expect(door.heard).toHaveLength(1);
  });
});
