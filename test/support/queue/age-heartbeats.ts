import type { Redis } from 'ioredis';

/** Lets time pass for the signs of life in a Redis: its own clock cannot be moved, so the signs are made older. */
export async function ageHeartbeats(redis: Redis, ms: number, prefix = 'sluice'): Promise<void> {
  for (const key of await redis.keys(`${prefix}:alive:*`)) {
    const [word = '', at = '0'] = ((await redis.get(key)) ?? '').split(' ');
    await redis.set(key, `${word} ${Number(at) - ms}`, 'KEEPTTL');
  }
}
