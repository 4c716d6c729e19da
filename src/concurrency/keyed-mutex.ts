/** Runs a task when all earlier ones with the same key have ended. */
export type KeyedMutex = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** One task at a time per key, within this process. */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const before = last.get(key);
    const mine = (async () => {
      await before?.catch(() => undefined);
      return task();
    })();
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
