import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { DEFAULT_DEADLINE_MS, gitOptions } from '../git/git-process.js';
import type { GitRepository } from '../git/git-repository.js';
import type { Oid } from '../world/model.js';

/** A folder for one job, with a working copy of one commit. */
export interface Checkout {
  readonly source: string;
  readonly home: string;
  /** Where the job's output goes. */
  readonly log: string;
}

/** Gives `task` a fresh checkout and removes it afterwards, whatever happened. */
export async function withCheckout<T>(
  git: GitRepository,
  oid: Oid,
  signal: AbortSignal,
  task: (checkout: Checkout) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'pocket-ci-'));
  try {
    const checkout = { source: join(folder, 'source'), home: join(folder, 'home'), log: join(folder, 'output.log') };
    await mkdir(checkout.home);
    // Borrowed objects, own refs and files: nothing a job does in its clone reaches the repository.
    await runGit(git, signal, ['clone', '--quiet', '--shared', '--no-checkout', git.path, checkout.source]);
    // `git checkout --detach` ends with 0 even when it could not read a file; this does not.
    await runGit(git, signal, ['-C', checkout.source, 'update-ref', '--no-deref', 'HEAD', oid]);
    await runGit(git, signal, ['-C', checkout.source, 'reset', '--quiet', '--hard', 'HEAD']);
    return await task(checkout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runGit(git: GitRepository, signal: AbortSignal, args: readonly string[]): Promise<void> {
  const limits = { timeout: DEFAULT_DEADLINE_MS, cancelSignal: signal };
  const { exitCode, stderr } = await execa('git', args, { ...gitOptions(git.path), ...limits });
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
}
