import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

const ENV = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Wren',
  GIT_AUTHOR_EMAIL: 'wren@users.noreply.example.com',
  GIT_COMMITTER_NAME: 'Wren',
  GIT_COMMITTER_EMAIL: 'wren@users.noreply.example.com',
};

/** Clones, commits these files on top of `main` and pushes them to `branch` with the git command line. */
export async function pushFile(
  url: string,
  branch: string,
  files: Readonly<Record<string, string>>,
  message = 'Change',
) {
  const folder = await mkdtemp(join(tmpdir(), 'push-'));
  const git = (...args: string[]) => execa('git', args, { cwd: folder, env: ENV, reject: false });
  try {
    await git('clone', '--quiet', url, '.');
    for (const [path, content] of Object.entries(files)) await writeFile(join(folder, path), content);
    await git('add', '.');
    await git('commit', '--quiet', '-m', message);
    const { stdout: oid } = await git('rev-parse', 'HEAD');
    const { exitCode, stderr } = await git('push', 'origin', `HEAD:refs/heads/${branch}`);
    return { exitCode, stderr, oid };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
