import pLimit, { type LimitFunction } from 'p-limit';

/** Runs a task when all earlier ones with the same key have ended. */
export type KeyedMutex = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** One task at a time per key, within this process. */
export function createKeyedMutex(): KeyedMutex {
  const limits = new Map<string, LimitFunction>();
  return async (key, task) => {
    const limit = limits.get(key) ?? pLimit(1);
    limits.set(key, limit);
    try {
      return await limit(task);
    } finally {
      // Keys are repositories and issues: without this the map grows for as long as the service runs.
      if (limit.activeCount === 0 && limit.pendingCount === 0) limits.delete(key);
    }
  };
}
