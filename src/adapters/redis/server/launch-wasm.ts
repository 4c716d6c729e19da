import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { finalOutput } from './final-output.js';
import type { Launch } from './private-server.js';

const CHILD = fileURLToPath(new URL('./valkey-child.js', import.meta.url));

/** Valkey as WebAssembly in its own process. Slower than the real one, but npm installs it everywhere. */
export const launchWasm: Launch = async ({ port }) => {
  const child = fork(CHILD, [String(port)], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {},
    // node:wasi announces itself as experimental.
    execArgv: ['--no-warnings'],
    detached: true,
  });
  // It holds no files and no secrets, only the queue's hints, and starts without a password.
  return { ended: finalOutput(child), guarded: false, stop: () => child.kill(), kill: () => child.kill('SIGKILL') };
};
