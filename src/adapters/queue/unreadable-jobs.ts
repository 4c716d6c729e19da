import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Log } from '../../ports/log.js';

/**
 * Removes running jobs whose text BullMQ cannot parse. It throws on them after taking them, before we see them, and would
 * meet each again whenever its lock has expired.
 */
export async function dropUnreadable(redis: Redis, queue: Queue, log: Log): Promise<void> {
  for (const id of await redis.lrange(queue.toKey('active'), 0, -1)) {
    const texts = await redis.hmget(queue.toKey(id), 'data', 'opts');
    if (texts.every(isJson)) continue;
    log.warn({ queue: queue.name, job: id }, 'dropped unreadable job');
    await redis
      .multi()
      .lrem(queue.toKey('active'), 0, id)
      .del(queue.toKey(id), queue.toKey(`${id}:lock`))
      .exec();
  }
}

function isJson(text: string | null): boolean {
  try {
    JSON.parse(text ?? 'null');
    return true;
  } catch {
    return false;
  }
}
