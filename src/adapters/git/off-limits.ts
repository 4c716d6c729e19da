import { OffLimitsError } from '../../ports/git-host.js';
import { type Git, gitText } from './git-process.js';

/** What CI runs: it has secrets, and nobody looks at it before it runs. Names are compared without case, to be sure. */
const OFF_LIMITS = [':(icase).github/workflows', ':(icase).github/actions'];
const MOST_NAMED = 5;

/** Where git finds what came in, apart from what was there before. */
export interface Incoming {
  readonly mirror: string;
  /** Only what came in. */
  readonly alone: Readonly<Record<string, string>>;
  /** The same with everything the mirror has. */
  readonly together: Readonly<Record<string, string>>;
}

/**
 * Refuses commits that change what only people may change. Every commit that was not here before is looked at, whatever it was said
 * to start from: a change that a later commit takes back would be pushed all the same.
 */
export async function refuseOffLimits(git: Git, { mirror, alone, together }: Incoming): Promise<void> {
  const objects = await gitText(
    git,
    mirror,
    ['cat-file', '--batch-all-objects', '--batch-check=%(objecttype) %(objectname)'],
    { env: alone },
  );
  const commits = objects.split('\n').flatMap((line) => (line.startsWith('commit ') ? [line.slice(7)] : []));
  // What completes a pack may have been here all along.
  const known = await gitText(git, mirror, ['cat-file', '--batch-check'], { input: `${commits.join('\n')}\n` });
  const fresh = known.split('\n').flatMap((line) => (line.endsWith(' missing') ? [line.split(' ')[0] ?? ''] : []));
  if (fresh.length === 0) return;
  // Of a merge, only what none of its sides had: taking over what has landed on base changes nothing.
  const args = ['log', '--no-walk=unsorted', '--stdin', '--format=', '--name-only', '--diff-merges=combined'];
  const changed = await gitText(git, mirror, [...args, '--no-renames', '--', ...OFF_LIMITS], {
    input: `${fresh.join('\n')}\n`,
    env: together,
  });
  const paths = [...new Set(changed.split('\n').filter((path) => path !== ''))].sort();
  if (paths.length > 0) throw new OffLimitsError(named(paths));
}

function named(paths: readonly string[]): string {
  const rest = paths.length - MOST_NAMED;
  return `${paths.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
