import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGitHost, type GitHostOptions } from '../../../src/adapters/git/git-host.js';
import type { GitHost } from '../../../src/ports/git-host.js';
import type { Log } from '../../../src/ports/log.js';
import { afterThisTest } from '../clean-up.js';
import type { Person, TestPocket } from '#pocket-github/test/test-pocket';

export const QUIET: Log = { info: () => {}, warn: () => {}, error: () => {} };
export const IDENTITY = { name: 'Sluice', email: 'sluice@users.noreply.example.com' };

/** A folder that is gone after the test. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-test-'));
  afterThisTest(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A git host of its own, on Pocket's `ada/sandbox` with the token of this person. */
export async function openGitHost(
  p: TestPocket,
  { as = 'wren', ...more }: Partial<GitHostOptions> & { readonly as?: Person | 'anonymous' } = {},
): Promise<{ readonly host: GitHost; readonly folder: string }> {
  const folder = await testFolder();
  const host = createGitHost({
    folder,
    remoteUrl: ({ owner, repo }) => `${p.pocket.urls.html}/${owner}/${repo}.git`,
    token: async () => (as === 'anonymous' ? null : p.tokenOf(as)),
    identity: IDENTITY,
    clock: p.clock,
    log: QUIET,
    deadlineMs: 60_000,
    ...more,
  });
  return { host, folder };
}
