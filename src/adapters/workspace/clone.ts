import { join } from 'node:path';
import type { VerifyCommand } from '../../domain/criteria/criterion.js';
import type { IssueRef, Oid } from '../../domain/issue/ids.js';
import type { IsProtected } from '../../domain/limits/protected-paths.js';
import { type GitHost, GitHostError } from '../../ports/git-host.js';
import type { Mount } from '../../ports/sandbox.js';
import { type Clone, type CommandOutcome, OffLimitsError, WorkspaceError } from '../../ports/workspace.js';
import { readCloneFile } from './clone-file.js';
import { outcomeOf, type RunInClone, shell } from './clone-process.js';
import { COLLECT, FOUND } from './clone-scripts.js';
import { emptyFolder, type PhaseFolders, removeFolder } from './phase-folders.js';

export interface CloneParts {
  readonly ref: IssueRef;
  /** The commit the work started from. */
  readonly start: Oid;
  /** What its work is checked against. `null` for a leftover clone: its work goes to no branch before it is checked. */
  readonly rules: { readonly base: Oid; readonly isProtected: IsProtected } | null;
  /** The folder of all clones. */
  readonly folder: string;
  readonly folders: PhaseFolders;
  readonly mounts: readonly Mount[];
  readonly run: RunInClone;
  readonly gitHost: GitHost;
  readonly identity: { readonly name: string; readonly email: string };
  readonly timeoutMs: number;
  readonly maxBundleBytes: number;
}

export function createClone(parts: CloneParts): Clone {
  const { folder, folders, mounts, run, timeoutMs } = parts;
  return {
    path: folders.clone,
    home: folders.home,
    mounts,
    run: async (command, signal) =>
      outcomeOf(await run({ argv: shell(command), mounts, timeoutMs, signal }), timeoutMs),
    check: (command, signal) => check(parts, command, signal),
    collect: (message, signal, extent = 'all') => collect(parts, message, signal, extent),
    dispose: () => removeFolder(folder, folders.root),
  };
}

/** Checks a criterion. Files are read from outside; commands and patterns, which may not end, run inside. */
async function check(parts: CloneParts, command: VerifyCommand, signal: AbortSignal): Promise<CommandOutcome> {
  const { folders, mounts, run, timeoutMs } = parts;
  if (command.kind === 'command')
    return outcomeOf(await run({ argv: shell(command.run), mounts, timeoutMs, signal }), timeoutMs);
  const file = await readCloneFile(folders.clone, command.path);
  if (file.kind === 'none') return { passed: false, output: file.why };
  switch (command.kind) {
    case 'file_exists':
      return { passed: true, output: `${command.path} exists.` };
    case 'file_contains': {
      if (file.content === null) return { passed: false, output: `${command.path} is too large to look into.` };
      const passed = file.content.includes(command.text);
      return { passed, output: `${command.path} ${passed ? 'holds' : 'does not hold'} the text.` };
    }
    case 'grep': {
      const argv = ['grep', '-E', '-n', '-m', '5', '-e', command.pattern, '--', file.path] as const;
      const result = await run({ argv: [...argv], mounts, timeoutMs, signal });
      if (result.end.kind === 'exited' && result.end.code === 1)
        return { passed: false, output: `No line of ${command.path} matches.` };
      return outcomeOf(result, timeoutMs);
    }
  }
}

/** Why the script ended without a bundle, by exit code. */
const refusals = (maxBundleBytes: number): Readonly<Record<number, string>> => ({
  [FOUND.submodule]:
    'The work contains a git repository within the repository (or a submodule), whose files would be lost.',
  [FOUND.lfs]: 'The work puts files under Git LFS, which Sluice does not support yet.',
  [FOUND['moved-back']]: 'The work only takes back commits that were there before it began.',
  [FOUND['too-large']]: `The work is larger than the ${maxBundleBytes} bytes allowed.`,
});

/** The result leaves as a bundle made inside; the host's git never opens the clone. */
async function collect(
  parts: CloneParts,
  message: string,
  signal: AbortSignal,
  extent: 'all' | 'essentials',
): Promise<Oid | null> {
  const { start, folder, folders, mounts, run, identity, timeoutMs, maxBundleBytes } = parts;
  const bundle = join(folders.out, 'result.bundle');
  await emptyFolder(folder, folders.out);
  const result = await run({
    argv: ['sh', '-c', COLLECT],
    mounts: [...mounts, { path: folders.out, access: 'write' }],
    env: {
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_DIR: join(folders.clone, '.git'),
      GIT_WORK_TREE: folders.clone,
      GIT_AUTHOR_NAME: identity.name,
      GIT_AUTHOR_EMAIL: identity.email,
      GIT_COMMITTER_NAME: identity.name,
      GIT_COMMITTER_EMAIL: identity.email,
      START: start,
      MESSAGE: message,
      BUNDLE: bundle,
      MAX_BYTES: String(maxBundleBytes),
      ...(extent === 'essentials' ? { ESSENTIALS: 'yes' } : {}),
    },
    disk: extent === 'essentials' ? 'growth' : 'total',
    timeoutMs,
    signal,
  });
  const code = result.end.kind === 'exited' ? result.end.code : -1;
  if (code === FOUND.nothing) return null;
  if (code !== 0) {
    const why =
      refusals(maxBundleBytes)[code] ??
      `Git in the clone could not hand the work over:\n${outcomeOf(result, timeoutMs).output}`;
    throw new WorkspaceError('refused-result', why, '');
  }
  try {
    return await takeOver(parts, bundle);
  } catch (error) {
    if (!(error instanceof GitHostError) || error.retry === 'transient') throw error;
    throw new WorkspaceError('refused-result', error.message, '');
  }
}

/** Takes the bundle into the mirror, where its trees are compared with base. */
async function takeOver({ ref, start, rules, gitHost }: CloneParts, bundle: string): Promise<Oid> {
  const known = rules === null ? [start] : [start, rules.base];
  const tip = await gitHost.takeBundle(ref, bundle, 'HEAD', known);
  const paths = rules === null ? [] : await gitHost.protectedChanges(ref, { ...rules, tip, start, trusted: [start] });
  if (paths.length > 0) throw new OffLimitsError(tip, paths);
  return tip;
}
