import type { Oid, RepoRef } from '../../domain/issue/ids.js';
import type { GitHost } from '../../ports/git-host.js';
import type { Mount } from '../../ports/sandbox.js';
import { WorkspaceError } from '../../ports/workspace.js';
import { outcomeOf, type RunInClone, shell } from './clone-process.js';
import { AFTER_SETUP } from './clone-scripts.js';

/** What a clone needs to know of a repository's configuration. */
export interface CloneConfig {
  readonly setup?: string;
  /** Patterns of files that only people may change. */
  readonly protected?: readonly string[];
}

export type ConfigReading =
  | { readonly kind: 'valid'; readonly config: CloneConfig }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

const CONFIG_FILE = '.github/sluice.yml';

/** The configuration of the base branch; an agent's change to it has no effect yet. */
export async function readConfig(
  gitHost: GitHost,
  repo: RepoRef,
  base: Oid,
  parseConfig: (text: string) => ConfigReading,
): Promise<CloneConfig> {
  const text = await gitHost.readFile(repo, base, CONFIG_FILE);
  const reading = parseConfig(text ?? '');
  if (reading.kind === 'valid') return reading.config;
  throw new WorkspaceError(
    'invalid-config',
    `${CONFIG_FILE} on the base branch is wrong: ${reading.problems.join('; ')}.`,
    `Correct ${CONFIG_FILE} on the base branch and run /auto again.`,
  );
}

/** Prepares a fresh clone for work. */
export async function runSetup(
  run: RunInClone,
  command: string,
  {
    mounts,
    timeoutMs,
    signal,
  }: { readonly mounts: readonly Mount[]; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const result = await run({ argv: shell(command), mounts, timeoutMs, signal });
  const { passed, overLimit = false, output } = outcomeOf(result, timeoutMs);
  if (overLimit) {
    throw new WorkspaceError(
      'limits',
      `The setup command \`${command}\` was stopped:\n${output}`,
      `Have \`setup\` in ${CONFIG_FILE} do with less, or raise the limit.`,
    );
  }
  if (!passed) {
    throw new WorkspaceError(
      'setup-failed',
      `The setup command \`${command}\` failed:\n${output}`,
      `Correct \`setup\` in ${CONFIG_FILE}, or what it runs, on the base branch and run /auto again.`,
    );
  }
  const settled = outcomeOf(await run({ argv: ['sh', '-c', AFTER_SETUP], mounts, timeoutMs, signal }), timeoutMs);
  if (!settled.passed) throw new Error(`The clone is unusable after setup: ${settled.output}`);
}
