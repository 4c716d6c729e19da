import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { systemClock } from '../../../../src/adapters/clock/system-clock.js';
import { openBullmqQueue } from '../../../../src/adapters/queue/bullmq-queue.js';
import { openRedis, type RedisServer } from '../../../../src/adapters/redis/server/redis-server.js';
import type { Queue } from '../../../../src/ports/queue.js';
import { RecordingLog } from '../../../support/recording-log.js';
import { RecordingJobHandlers } from '../../../support/queue/recording-job-handlers.js';

const ISSUE = { owner: 'ada', repo: 'sandbox', number: 7 };
const OTHER = { owner: 'ada', repo: 'sandbox', number: 8 };
/** Long enough for a busy machine to renew it in time. */
const LOCK_MS = 600;

describe('a running job', () => {
  const at: { server?: RedisServer; witness?: Redis; queues: Queue[] } = { queues: [] };

  beforeEach(async () => {
    at.server = await openRedis({ path: process.env['PATH'] ?? '', clock: systemClock, log: new RecordingLog() });
    at.witness = new Redis(at.server.url);
    at.queues = [];
  });

  afterEach(async () => {
    await Promise.all(at.queues.map((queue) => queue.close()));
    at.witness?.disconnect();
    await at.server?.close();
  });

  const open = async (): Promise<{ queue: Queue; witness: Redis }> => {
    const { server, witness } = at;
    if (server === undefined || witness === undefined) throw new Error('not open');
    const queue = await openBullmqQueue({
      url: server.url,
      clock: systemClock,
      log: new RecordingLog(),
      lockMs: LOCK_MS,
    });
    at.queues.push(queue);
    return { queue, witness };
  };

  test('stays with its worker longer than the lock lasts', async () => {
    const { queue, witness } = await open();
    const { queue: rival } = await open();
    const handlers = new RecordingJobHandlers({ hold: true });
    await Promise.all([queue.work(handlers), rival.work(handlers)]);
    await queue.startPhase({ ref: ISSUE, phase: 'code' });
    await handlers.untilStarted(1);
    await renewals(witness, 6);
    handlers.release();
    await queue.idle();
    expect(handlers.started).toEqual(['code ada/sandbox#7']);
  });

  test('is not mistaken for one that ran before everything was lost', async () => {
    const { queue, witness } = await open();
    const handlers = new RecordingJobHandlers({ hold: true });
    await queue.work(handlers);
    await queue.startPhase({ ref: ISSUE, phase: 'code' });
    await handlers.untilStarted(1);
    await witness.flushall();
    await queue.startPhase({ ref: OTHER, phase: 'code' });
    await handlers.untilStarted(2);
    handlers.release('code ada/sandbox#7');
    await handlers.untilEnded(1);
    await renewals(witness, 6);
    handlers.release();
    await queue.idle();
    expect(handlers.started).toEqual(['code ada/sandbox#7', 'code ada/sandbox#8']);
  });
});

/** Resolves when locks have been renewed as often as this. */
async function renewals(redis: Redis, count: number): Promise<void> {
  await redis.config('SET', 'notify-keyspace-events', 'E$');
  const ear = redis.duplicate();
  const seen = { count: 0 };
  const enough = new Promise<void>((resolve) => {
    ear.on('message', (_channel: string, key: string) => {
      if (key.endsWith(':lock')) seen.count += 1;
      if (seen.count === count) resolve();
    });
  });
  await ear.subscribe('__keyevent@0__:set');
  await enough;
  ear.disconnect();
}
