import type { Redis } from 'ioredis';

/** Makes signs of life in Redis older, because its clock cannot be moved. */
export async function ageHeartbeats(redis: Redis, ms: number, prefix = 'sluice'): Promise<void> {
  for (const key of await redis.keys(`${prefix}:alive:*`)) {
    const [word = '', at = '0'] = ((await redis.get(key)) ?? '').split(' ');
    await redis.set(key, `${word} ${Number(at) - ms}`, 'KEEPTTL');
  }
}
