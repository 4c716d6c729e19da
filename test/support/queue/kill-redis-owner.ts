import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';

const OWNER_PROCESS = fileURLToPath(new URL('./redis-owner-process.js', import.meta.url));

/** Starts a process with a private Redis, kills it with SIGKILL, and resolves when its Redis has gone as well, and its folder. */
export async function killRedisOwner(path: string): Promise<void> {
  const owner = spawn(process.execPath, [OWNER_PROCESS, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(owner.stdout, 'data')) as [Buffer];
  const redis = new Redis(said.toString().trim(), { retryStrategy: () => null });
  redis.on('error', () => undefined);
  const [, folder = ''] = await redis.config('GET', 'dir');
  const gone = Promise.all([once(redis, 'end'), folder.includes('sluice-redis-') ? removal(folder) : null]);
  owner.kill('SIGKILL');
  await gone;
}

function removal(folder: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, () => {
      if (existsSync(folder)) return;
      watcher.close();
      resolve();
    });
  });
}
