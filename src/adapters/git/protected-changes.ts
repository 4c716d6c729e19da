import type { Oid } from '../../domain/issue/ids.js';
import { GitHostError, type ProtectedQuestion } from '../../ports/git-host.js';
import { type Git, gitText } from './git-process.js';
import { newCommits } from './new-commits.js';

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** A file as a tree has it: mode and object, or nothing. */
type Entry = string;
/** Differences between two trees by path, with the second tree's entries. */
type Differences = ReadonlyMap<string, Entry>;

/**
 * The protected paths that new commits changed. Every commit that is neither on base nor known is checked, so that a change reverted later
 * is still found. Each is compared with the newest base commit it contains, so that merging anything else, even older base, adds nothing
 * unnoticed.
 */
export async function protectedChanges(
  git: Git,
  path: string,
  question: ProtectedQuestion,
): Promise<readonly string[]> {
  const { tip, base, trusted, start, isProtected } = question;
  const fresh = await newCommits(git, path, tip, [base, ...trusted]);
  if (fresh.length === 0) return [];
  const own = (differences: Differences) => new Map([...differences].filter(([at]) => isProtected(at)));
  const compare = async (pairs: readonly (readonly [Oid | null, Oid])[]) =>
    (await differencesOf(git, path, pairs)).map(own);

  const simple = fresh.filter(({ parents }) => parents.length === 1);
  const steps = await compare(simple.map(({ oid, parents }) => [parents[0] ?? null, oid]));
  const changing = simple.filter((_, index) => (steps[index]?.size ?? 0) > 0);
  const merges = fresh.filter(({ parents }) => parents.length !== 1);
  // Work moved onto an older base commit would restore old protected files.
  const began = start === undefined ? [] : await newestOfBase(git, path, start, base);
  const expected = new Map<Oid, readonly Oid[]>();
  for (const { oid } of [...changing, ...merges]) expected.set(oid, await newestOfBase(git, path, oid, base));
  const atTip = expected.get(tip) ?? (await newestOfBase(git, path, tip, base));
  expected.set(tip, await independent(git, path, [...atTip, ...began]));

  const allowed = await trustedEntries(git, path, { base, trusted, compare });
  const found = new Set<string>();
  for (const [oid, sides] of expected) {
    const against = await compare(sides.length === 0 ? [[null, oid]] : sides.map((side) => [side, oid] as const));
    const [first = new Map<string, Entry>(), ...others] = against;
    for (const [at, entry] of first) {
      const isChanged = others.every((differences) => differences.has(at));
      if (isChanged && !allowed.some((entries) => entries.get(at) === entry)) found.add(at);
    }
  }
  return [...found].sort();
}

/** Entries that people changed themselves in known commits; they are allowed. */
async function trustedEntries(
  git: Git,
  path: string,
  {
    base,
    trusted,
    compare,
  }: {
    readonly base: Oid;
    readonly trusted: readonly Oid[];
    readonly compare: (pairs: readonly (readonly [Oid | null, Oid])[]) => Promise<readonly Differences[]>;
  },
): Promise<readonly Differences[]> {
  const pairs: (readonly [Oid | null, Oid])[] = [];
  for (const oid of trusted) pairs.push([(await newestOfBase(git, path, oid, base))[0] ?? null, oid]);
  return compare(pairs);
}

/** The newest base commits that a commit contains: usually one, none for unrelated histories. */
async function newestOfBase(git: Git, path: string, commit: Oid, base: Oid): Promise<readonly Oid[]> {
  const { exitCode, stdout, stderr } = await git(path, ['merge-base', '--all', commit, base]);
  if (exitCode > 1) throw new GitHostError(`git merge-base failed with ${exitCode}: ${stderr}`, 'permanent');
  return linesOf(stdout.toString());
}

/** Removes commits that another one contains. */
async function independent(git: Git, path: string, commits: readonly Oid[]): Promise<readonly Oid[]> {
  const different = [...new Set(commits)];
  if (different.length < 2) return different;
  return linesOf(await gitText(git, path, ['merge-base', '--independent', ...different]));
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

/** Differences of each pair of commits; `null` stands for the empty tree. */
async function differencesOf(
  git: Git,
  path: string,
  pairs: readonly (readonly [Oid | null, Oid])[],
): Promise<readonly Differences[]> {
  const names = pairs.flatMap(([before, after]) => [before, after]).filter((oid) => oid !== null);
  const trees = await treesOf(git, path, names);
  const treeOf = (oid: Oid | null): Oid => (oid === null ? EMPTY_TREE : (trees.get(oid) ?? EMPTY_TREE));
  const wanted = pairs.map(([before, after]) => `${treeOf(before)} ${treeOf(after)}`);
  const lines = [...new Set(wanted)];
  if (lines.length === 0) return [];
  const args = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-abbrev', '--no-renames'];
  const { exitCode, stdout, stderr } = await git(path, args, { input: `${lines.join('\n')}\n` });
  if (exitCode !== 0) throw new GitHostError(`git diff-tree failed with ${exitCode}: ${stderr}`, 'permanent');
  const found = parseDifferences(stdout.toString());
  return wanted.map((line) => found.get(line) ?? new Map<string, Entry>());
}

async function treesOf(git: Git, path: string, commits: readonly Oid[]): Promise<ReadonlyMap<Oid, Oid>> {
  const different = [...new Set(commits)];
  if (different.length === 0) return new Map();
  const input = different.map((oid) => `${oid}^{tree}\n`).join('');
  const trees = (await gitText(git, path, ['cat-file', '--batch-check=%(objectname)'], { input })).split('\n');
  return new Map(different.map((oid, index) => [oid, trees[index] ?? EMPTY_TREE]));
}

/**
 * Parses lines `<tree> <tree>`, each followed by `:<mode> <mode> <id> <id> <letter>` and a path for every difference, separated by zero
 * bytes.
 */
function parseDifferences(text: string): ReadonlyMap<string, Differences> {
  const found = new Map<string, Map<string, Entry>>();
  const fields = text.split('\0');
  let current = new Map<string, Entry>();
  for (let index = 0; index < fields.length; index += 1) {
    for (const line of (fields[index] ?? '').split('\n')) {
      const [, mode, oid] = /^:\d+ (\d+) [0-9a-f]+ ([0-9a-f]+) /.exec(line) ?? [];
      if (mode !== undefined && oid !== undefined) {
        index += 1;
        current.set(fields[index] ?? '', `${mode} ${oid}`);
      } else if (line !== '') {
        current = new Map();
        found.set(line, current);
      }
    }
  }
  return found;
}
