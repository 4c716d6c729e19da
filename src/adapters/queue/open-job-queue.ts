import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { JobName } from './jobs.js';

/** BullMQ's side of one kind of job. */
export function openJobQueue(name: JobName, connection: Redis, prefix: string): Queue {
  // Nobody reads BullMQ's event stream; its default length would cost a megabyte.
  const queue = new Queue(name, { connection, prefix, streams: { events: { maxLen: 100 } } });
  queue.on('error', () => undefined);
  return queue;
}
