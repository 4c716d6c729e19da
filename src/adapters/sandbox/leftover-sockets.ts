import { readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

/** Removes sockets nobody listens on any more. One that is somebody's answers, and is left alone. */
export async function removeLeftoverSockets(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const { name } of entries.filter((entry) => entry.isSocket())) {
    const path = join(folder, name);
    if (await isRefused(path)) await rm(path, { force: true });
  }
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
