import type { Oid } from '../../domain/issue/ids.js';
import { GitHostError } from '../../ports/git-host.js';
import { type Git, gitText } from './git-process.js';

/** Far more commits than an agent makes for one issue. Each may cost a process. */
const MOST_COMMITS = 1_000;

export interface NewCommit {
  readonly oid: Oid;
  readonly parents: readonly Oid[];
}

/** The commits of `tip` that none of the known ones contains, parents first. */
export async function newCommits(git: Git, path: string, tip: Oid, known: readonly Oid[]): Promise<NewCommit[]> {
  const order = ['--topo-order', '--reverse', '--parents', `--max-count=${MOST_COMMITS + 1}`];
  const list = await gitText(git, path, ['rev-list', ...order, tip, '--not', ...known, '--']);
  const lines = list.split('\n').filter((line) => line !== '');
  if (lines.length > MOST_COMMITS)
    throw new GitHostError(`The work has more than ${MOST_COMMITS} commits.`, 'permanent');
  return lines.map((line) => {
    const [oid = '', ...parents] = line.split(' ');
    return { oid, parents };
  });
}
