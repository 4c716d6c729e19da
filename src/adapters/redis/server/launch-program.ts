import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finalOutput } from './final-output.js';
import type { Launch } from './private-server.js';

/**
 * Runs a command until it ends or our stdin closes, which also happens after SIGKILL; then removes the folder. Background jobs have no
 * stdin of their own, hence descriptor 3. Output of the shell itself, with no reader left, would end it before the clean-up.
 */
const SUPERVISE_SCRIPT = `folder=$1; shift
exec 3<&0
"$@" 3<&- &
server=$!
exec >/dev/null 2>&1
{ read -r _ <&3; kill "$server"; } &
reader=$!
wait "$server"
kill "$reader"
rm -rf -- "$folder"`;

/** A `redis-server` or `valkey-server` with a folder, a port and a password of its own. */
export function launchProgram(program: string, path: string): Launch {
  return async ({ port, password }) => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-redis-'));
    const file = join(folder, 'redis.conf');
    await writeFile(file, configuration(port, password, folder), { mode: 0o600 });
    const shell = spawn('/bin/sh', ['-c', SUPERVISE_SCRIPT, 'sh', folder, program, file], {
      stdio: ['pipe', 'pipe', 'pipe'],
      cwd: '/',
      env: { PATH: `${path}:/usr/bin:/bin` },
      // In its own process group, so that Ctrl-C reaches only us and we close in order.
      detached: true,
    });
    const kill = (): void => {
      if (shell.pid !== undefined && shell.exitCode === null) process.kill(-shell.pid, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    };
    return { ended: finalOutput(shell), guarded: true, stop: () => shell.stdin.end(), kill };
  };
}

/** In a file, because everybody on the machine can read arguments. */
function configuration(port: number, password: string, folder: string): string {
  return [
    `port ${port}`,
    'bind 127.0.0.1',
    `requirepass ${password}`,
    'save ""',
    'appendonly no',
    `dir "${folder}"`,
    'loglevel warning',
    '',
  ].join('\n');
}
