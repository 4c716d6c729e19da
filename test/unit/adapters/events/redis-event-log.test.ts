import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { systemClock } from '../../../../src/adapters/clock/system-clock.js';
import { RedisEventLog } from '../../../../src/adapters/events/redis-event-log.js';
import { failFastClient } from '../../../../src/adapters/redis/redis-client.js';
import { openRedis, type RedisServer } from '../../../../src/adapters/redis/server/redis-server.js';
import type { RunEvent } from '../../../../src/domain/events/run-event.js';
import { ManualClock } from '#pocket-github/clock';
import { FIRST } from '../../../../src/ports/event-log.js';
import { RecordingLog } from '../../../support/recording-log.js';

const ISSUE = { owner: 'ada', repo: 'sandbox', number: 7 };
const clients: Redis[] = [];
const event = (because: string): RunEvent => ({
  at: Date.UTC(2026, 0, 5),
  issue: ISSUE,
  run: 'run-1',
  phase: 'code',
  because,
  kind: 'resumed',
});

/** A client of a Redis that is not there, which leaves no timers behind. */
function nowhere(): Redis {
  const redis = new Redis('redis://127.0.0.1:9', {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  return redis;
}

describe('events in Redis', () => {
  const at: { server?: RedisServer; folder: string } = { folder: '' };

  beforeAll(async () => {
    at.server = await openRedis({ path: '', clock: systemClock, log: new RecordingLog() });
    at.folder = await mkdtemp(join(tmpdir(), 'redis-events-'));
  });
  afterAll(async () => {
    for (const client of clients) client.disconnect();
    await at.server?.close();
    await rm(at.folder, { recursive: true, force: true });
  });

  const open = async (away = false) => {
    const log = new RecordingLog();
    const redis = away ? nowhere() : failFastClient(at.server?.url ?? '', log);
    await redis.connect().catch(() => expect(away).toBe(true));
    const redact = (text: string): string => text.replaceAll('hush', '***');
    const clock = new ManualClock();
    if (!away) clients.push(redis);
    return { log, events: new RedisEventLog({ redis, clock, log, redact, folder: at.folder, maxEvents: 100 }) };
  };
  const lines = async (): Promise<readonly object[]> => {
    const [name = ''] = await readdir(at.folder);
    const text = await readFile(join(at.folder, name), 'utf8');
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
  };

  test('are bounded in number, in time and in length, and are on disk under the same id', async () => {
    const { events } = await open();
    const witness = new Redis(at.server?.url ?? '');
    await Promise.all(Array.from({ length: 500 }, () => events.append(event(`hush ${'x'.repeat(5_000)}`))));
    const kept = await witness.xlen('sluice:events:stream');
    expect(kept).toBeGreaterThanOrEqual(100);
    expect(kept).toBeLessThan(300);
    for (const key of await witness.keys('*')) {
      if (key !== 'sluice:events:runs')
        expect({ key, ttl: await witness.pttl(key) }).toMatchObject({ ttl: expect.any(Number) });
      if (key !== 'sluice:events:runs') expect(await witness.pttl(key)).toBeGreaterThan(0);
    }
    const [newest] = await witness.xrevrange('sluice:events:stream', '+', '-', 'COUNT', 1);
    const last = (await lines()).at(-1) as { id: string; because: string; time: string };
    expect(last).toMatchObject({ id: newest?.[0], time: '2026-01-05T00:00:00.000Z', kind: 'resumed' });
    expect(last.because).toMatch(/^\*\*\* x+…$/);
    expect(last.because).toHaveLength(2_000);
    witness.disconnect();
    await events.close();
  });

  test('what another version wrote is passed over, not stumbled over', async () => {
    const { events } = await open();
    const witness = new Redis(at.server?.url ?? '');
    await witness.flushall();
    for (const json of ['{"kind":"from the future"}', '{"kind":', '']) {
      await witness.xadd('sluice:events:stream', '*', 'event', json);
    }
    await witness.set('sluice:run:ada/sandbox#7', '{');
    await witness.rpush('sluice:live:ada/sandbox#7', 'nonsense');
    await events.append(event('readable'));
    expect(await events.since(FIRST, 10)).toMatchObject([{ event: { because: 'readable' } }]);
    const stop = new AbortController();
    for await (const one of events.follow(FIRST, stop.signal)) {
      expect(one).toMatchObject({ event: { because: 'readable' } });
      stop.abort();
    }
    expect(await events.live(ISSUE)).toBeNull();
    expect(await events.runs()).toHaveLength(1);
    witness.disconnect();
    await events.close();
  });

  test('a follower reads again after the connection was lost, because events may have been missed', async () => {
    const { events } = await open();
    const witness = new Redis(at.server?.url ?? '');
    await witness.flushall();
    await events.append(event('heard'));
    const stop = new AbortController();
    const following = events.follow(FIRST, stop.signal)[Symbol.asyncIterator]();
    expect((await following.next()).value).toMatchObject({ event: { because: 'heard' } });
    const next = following.next();
    // Without a word to those who listen.
    await witness.xadd('sluice:events:stream', '*', 'event', JSON.stringify(event('unheard')));
    await witness.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    expect((await next).value).toMatchObject({ event: { because: 'unheard' } });
    stop.abort();
    witness.disconnect();
    await events.close();
  });

  test('while Redis is away events still go to disk, nothing fails, and who asks is told at once', async () => {
    const { events, log } = await open(true);
    await events.append(event('alone'));
    await events.note({ at: 0, issue: ISSUE, phase: 'code', phaseRun: 'p', kind: 'tool', text: 'Bash' });
    expect((await lines()).at(-1)).toMatchObject({ id: null, because: 'alone' });
    await expect(events.since(FIRST, 1)).rejects.toThrow();
    await expect(events.runs()).rejects.toThrow();
    expect(log.said('event not stored in Redis')).toEqual([]);
    await events.close();
  });
});
