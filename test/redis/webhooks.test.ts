import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { systemClock } from '../../src/adapters/clock/system-clock.js';
import { findProgram } from '../../src/adapters/find-program.js';
import { launchProgram } from '../../src/adapters/queue/launch-program.js';
import { awaitRedis } from '../../src/adapters/queue/redis-client.js';
import { openRedis, type RedisServer } from '../../src/adapters/queue/redis-server.js';
import { commentPayload, type FrontDoor, openFrontDoor, post } from '../support/front-door.js';
import { RecordingLog } from '../support/recording-log.js';
import { until } from '../support/until.js';

const DEAF_DOOR = fileURLToPath(new URL('../support/deaf-door.js', import.meta.url));
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

  test('a Redis that hangs is a 503 while it hangs, and what was asked meanwhile is still heard at most once', async () => {
    const door = await open();
    process.kill(at.pid, 'SIGSTOP');
    // Both are answered before it goes on: GitHub is not kept waiting for it.
    const refused = await post(door.url, { ...COMMENT, id: 'd-1' });
    const harmless = await post(door.url, TALK);
    process.kill(at.pid, 'SIGCONT');
    expect([refused.status, harmless.status]).toEqual([503, 202]);
    expect((await post(door.url, { ...COMMENT, id: 'd-1' })).status).toBe(202);
    await door.inbox.idle();
    expect(door.heard).toHaveLength(1);
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
    const door = await openFrontDoor({ redisUrl: url, lockMs: 15_000 });
    at.doors.push(door);
    first.kill();
    await first.ended;
    expect((await post(door.url, { ...COMMENT, id: 'd-1' })).status).toBe(503);
    const second = await launch(place);
    await until('the delivery is taken', async () => (await post(door.url, { ...COMMENT, id: 'd-1' })).status === 202);
    await door.inbox.idle();
    expect(door.heard).toHaveLength(1);
    await Promise.all(at.doors.splice(0).map((one) => one.close()));
    second.kill();
    await second.ended;
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
    // So long a job stays with a dead process; a busy machine must not make ours look dead.
    const door = await open(3_000);
    await until('the delivery is heard', () => door.heard.length > 0);
    expect(door.heard).toMatchObject([{ kind: 'comment', body: '/auto' }]);
    expect((await post(door.url, { ...COMMENT, id: 'd-1' })).status).toBe(202);
    await door.inbox.idle();
    expect(door.heard).toHaveLength(1);
  });
});
