import { readdir } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { systemClock } from '../../../../../src/adapters/clock/system-clock.js';
import { openBullmqQueue } from '../../../../../src/adapters/queue/bullmq-queue.js';
import { openRedis } from '../../../../../src/adapters/redis/server/redis-server.js';
import { killRedisOwner } from '../../../../support/queue/kill-redis-owner.js';
import { RecordingLog } from '../../../../support/recording-log.js';
import { RecordingJobHandlers } from '../../../../support/queue/recording-job-handlers.js';

const path = process.env['PATH'] ?? '';
const ISSUE = { owner: 'ada', repo: 'sandbox', number: 7 };

describe('a private Redis from PATH', () => {
  test('is told in one line, asks for a password, keeps nothing, and leaves nothing', async () => {
    const log = new RecordingLog();
    const server = await openRedis({ path, clock: systemClock, log });
    expect(server.kind).toMatch(/^(redis|valkey)-server$/);
    expect(log.lines).toEqual([
      { level: 'info', message: 'Redis ready', fields: { redis: server.kind, place: expect.any(String) } },
    ]);
    const { host, port, password } = new URL(server.url);
    expect(JSON.stringify(log.lines)).not.toContain(password);

    const stranger = new Redis(`redis://${host}`, { retryStrategy: () => null });
    stranger.on('error', () => undefined);
    await expect(stranger.get('x')).rejects.toThrow('NOAUTH');
    stranger.disconnect();

    const redis = new Redis(server.url);
    const settings = Object.fromEntries(
      await Promise.all(
        ['save', 'appendonly', 'bind', 'dir'].map(
          async (name) => (await redis.config('GET', name)) as [string, string],
        ),
      ),
    );
    expect(settings).toMatchObject({ save: '', appendonly: 'no', bind: '127.0.0.1' });
    redis.disconnect();
    await server.close();
    await expect(readdir(String(settings['dir']))).rejects.toThrow('ENOENT');
    await expect(
      openRedis({ url: `redis://127.0.0.1:${port}`, path, clock: systemClock, log, startMs: 100 }),
    ).rejects.toThrow('SLUICE_REDIS_URL');
  });

  test('ends with the process that started it, even by SIGKILL, and takes its folder along', async () => {
    await killRedisOwner(path);
  });

  test('is replaced when it ends, and queues go on with the new one', async () => {
    const log = new RecordingLog();
    const server = await openRedis({ path, clock: systemClock, log });
    const queue = await openBullmqQueue({ url: server.url, clock: systemClock, log });
    const handlers = new RecordingJobHandlers();
    await queue.work(handlers);
    await queue.wake(ISSUE);
    await queue.idle();
    const killer = new Redis(server.url, { retryStrategy: () => null });
    killer.on('error', () => undefined);
    await killer.shutdown('NOSAVE').catch(() => undefined);
    await log.until('Redis connection restored');
    await queue.wake(ISSUE);
    await queue.startPhase({ ref: ISSUE, phase: 'code' });
    await handlers.untilStarted(3);
    await queue.idle();
    expect([...handlers.started].sort()).toEqual(['code ada/sandbox#7', 'wake ada/sandbox#7', 'wake ada/sandbox#7']);
    expect(log.said('private Redis ended; restarting')).toHaveLength(1);
    await queue.close();
    await server.close();
  });
});
