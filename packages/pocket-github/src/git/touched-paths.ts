import type { Oid } from '../world/model.js';
import type { GitCommands } from './git-command.js';
import type { GitCommit, TouchedPaths } from './git-repository.js';

const NOTHING: TouchedPaths = { added: [], removed: [], modified: [] };

/** Which paths each commit touches, compared with its first parent: one git process however many commits. */
export async function touchedPaths(
  git: GitCommands,
  commits: readonly GitCommit[],
): Promise<ReadonlyMap<Oid, TouchedPaths>> {
  const input = commits.map(({ oid, parents }) => `${[oid, ...parents.slice(0, 1)].join(' ')}\n`).join('');
  const args = ['diff-tree', '--stdin', '--root', '-r', '-z', '--no-renames', '--name-status'];
  const { stdout } = await git.run(args, { input });
  const touched = new Map(commits.map(({ oid }) => [oid, NOTHING]));
  for (const [oid, changes] of parse(stdout.toString())) touched.set(oid, sorted(changes));
  return touched;
}

interface Change {
  readonly status: string;
  readonly path: string;
}

/** git prints the commit's id, then status and path of each file, every field ended by NUL. */
function parse(output: string): Map<Oid, Change[]> {
  const fields = output.split('\0');
  const found = new Map<Oid, Change[]>();
  let current: Change[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? '';
    if (field.length === 40) {
      current = [];
      found.set(field, current);
    } else if (field !== '') {
      at += 1;
      current.push({ status: field, path: fields[at] ?? '' });
    }
  }
  return found;
}

function sorted(changes: readonly Change[]): TouchedPaths {
  const paths = (...statuses: readonly string[]) =>
    changes.filter(({ status }) => statuses.includes(status)).map(({ path }) => path);
  return { added: paths('A'), removed: paths('D'), modified: paths('M', 'T') };
}
