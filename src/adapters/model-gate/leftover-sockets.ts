import { readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

/** Removes sockets without a listener and returns how many. A socket in use answers, and stays. */
export async function removeLeftoverSockets(folder: string): Promise<number> {
  let removed = 0;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const { name } of entries.filter((entry) => entry.isSocket())) {
    const path = join(folder, name);
    if (!(await isRefused(path))) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

function isRefused(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
