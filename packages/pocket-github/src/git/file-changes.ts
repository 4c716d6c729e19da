import type { Oid } from '../world/model.js';
import type { GitCommands } from './git-command.js';
import type { GitFileChange } from './git-repository.js';

/** git knows this tree without storing it. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** What changed between two trees, renames found. */
export async function fileChanges(git: GitCommands, from: Oid | null, to: Oid): Promise<readonly GitFileChange[]> {
  const { stdout } = await git.run(['diff-tree', '-r', '-z', '-M', '--raw', '--numstat', '-p', from ?? EMPTY_TREE, to]);
  return parseChanges(stdout.toString());
}

/**
 * With `-z`, git prints fields that end in NUL: one raw record per file, then one numstat record per file in the same order,
 * an empty field, and the patch as text.
 */
function parseChanges(output: string): readonly GitFileChange[] {
  const fields = output.split('\0');
  let at = 0;
  const next = (): string => fields[at++] ?? '';
  const records: RawRecord[] = [];
  while (fields[at]?.startsWith(':') === true) records.push(rawRecord(next));
  const counts = records.map((record) => {
    const [additions = '', deletions = ''] = next().split('\t');
    // A rename's names follow in fields of their own.
    if (record.status === 'renamed') at += 2;
    return { additions: Number(additions) || 0, deletions: Number(deletions) || 0 };
  });
  at += 1;
  const sections = fields
    .slice(at)
    .join('\0')
    .split(/^(?=diff --git )/m);
  return records.map(({ typeChanged, ...record }, index) => {
    // A file that became a link (or the reverse) is shown as removed and added again: two sections.
    const hunks = sections.splice(0, typeChanged ? 2 : 1).flatMap((section) => hunksOf(section) ?? []);
    return {
      ...record,
      additions: 0,
      deletions: 0,
      ...counts[index],
      patch: hunks.length === 0 ? null : hunks.join('\n'),
    };
  });
}

type RawRecord = Pick<GitFileChange, 'path' | 'previousPath' | 'status' | 'oid'> & { readonly typeChanged: boolean };

function rawRecord(next: () => string): RawRecord {
  const [, , before = '', after = '', letter = ''] = next().split(' ');
  const path = next();
  switch (letter.charAt(0)) {
    case 'A':
      return { path, previousPath: null, status: 'added', oid: after, typeChanged: false };
    case 'D':
      return { path, previousPath: null, status: 'removed', oid: before, typeChanged: false };
    case 'R':
      return { path: next(), previousPath: path, status: 'renamed', oid: after, typeChanged: false };
    default:
      return { path, previousPath: null, status: 'modified', oid: after, typeChanged: letter === 'T' };
  }
}

/** The hunks of one file's section; `null` when it has none (binary, empty, only renamed or only a new mode). */
function hunksOf(section: string): string | null {
  const start = section.search(/^@@ /m);
  return start === -1 ? null : section.slice(start).replace(/\n$/, '');
}
