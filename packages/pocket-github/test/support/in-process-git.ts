import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Oid } from '../../../../src/domain/issue/ids.js';
import type { GitCommit, GitRepository, RefUpdate, TouchedPaths } from '../../src/git/git-repository.js';
import { GitObjects, type TreeFile, type TreeFiles } from './git-objects.js';

/**
 * Lets a small repository answer what it is asked most without a process. What is on disk stays a plain git repository, which
 * everything else is still asked of git itself. For one process only, and for tests that would start thousands.
 */
export function answerInProcess(git: GitRepository): void {
  const objects = new GitObjects(git);
  const slow = {
    resolve: git.resolve.bind(git),
    log: git.log.bind(git),
    mergeTrees: git.mergeTrees.bind(git),
    mergeCommit: git.mergeCommit.bind(git),
  };
  // What an id names never changes.
  git.commit = remembered(git.commit.bind(git));
  git.object = remembered(git.object.bind(git));
  const must = async (oid: Oid): Promise<GitCommit> => {
    const commit = await git.commit(oid);
    if (commit === null) throw new Error(`${oid} is not a commit`);
    return commit;
  };
  /** A commit and everything before it. */
  const past = async (tips: readonly Oid[]): Promise<ReadonlyMap<Oid, GitCommit>> => {
    const found = new Map<Oid, GitCommit>();
    const open = [...tips];
    for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
      if (found.has(oid)) continue;
      const commit = await must(oid);
      found.set(oid, commit);
      open.push(...commit.parents);
    }
    return found;
  };

  git.listRefs = async () => readRefs(git.path);
  git.resolve = async (expression) => {
    if (/^[0-9a-f]{40}$/.test(expression)) return (await git.object(expression)) === null ? null : expression;
    return readRefs(git.path).get(expression) ?? slow.resolve(expression);
  };
  git.mergeBase = async (a, b) => {
    const [mine, other] = [await past([a]), await past([b])];
    return newestFirst([...mine.values()].filter(({ oid }) => other.has(oid)))[0]?.oid ?? null;
  };
  git.updateRefs = async (updates) => writeRefs(git.path, updates);
  git.isAncestor = async (ancestor, descendant) => (await past([descendant])).has(ancestor);
  git.log = async (from, to, options = {}) => {
    if (options.path !== undefined) return slow.log(from, to, options);
    const hidden = await past([...(from === null ? [] : [from]), ...(options.not ?? [])]);
    const shown = [...(await past([to])).values()].filter(({ oid }) => !hidden.has(oid));
    return newestFirst(shown).slice(0, options.limit);
  };
  git.touchedPaths = async (commits) => {
    const touched = new Map<Oid, TouchedPaths>();
    for (const { oid, tree, parents } of commits) {
      const [parent] = parents;
      const before =
        parent === undefined ? new Map<string, TreeFile>() : await objects.files((await must(parent)).tree);
      touched.set(oid, difference(before, await objects.files(tree)));
    }
    return touched;
  };
  git.writeCommit = async (commit) => objects.commit(commit);
  git.mergeTrees = async (ours, theirs) => {
    const base = await git.mergeBase(ours, theirs);
    if (base === null) return null;
    const trees = await Promise.all([base, ours, theirs].map(async (oid) => objects.files((await must(oid)).tree)));
    const [from, left, right] = trees as [TreeFiles, TreeFiles, TreeFiles];
    const merged = mergeFiles(from, left, right);
    // Two changes of one file: git knows how.
    return merged === null ? slow.mergeTrees(ours, theirs) : objects.tree(merged);
  };
  git.mergeCommit = async (base, head, method, commit) => {
    if (method === 'rebase') return slow.mergeCommit(base, head, method, commit);
    const tree = await git.mergeTrees(base, head);
    return tree === null
      ? null
      : objects.commit({ ...commit, tree, parents: method === 'merge' ? [base, head] : [base] });
  };
}

/** Keeps what was found; what is not there may come. */
function remembered<T>(ask: (oid: Oid) => Promise<T | null>): (oid: Oid) => Promise<T | null> {
  const known = new Map<Oid, T>();
  return async (oid) => {
    const before = known.get(oid);
    if (before !== undefined) return before;
    const answer = await ask(oid);
    if (answer !== null) known.set(oid, answer);
    return answer;
  };
}

function readRefs(path: string): ReadonlyMap<string, Oid> {
  if (existsSync(join(path, 'packed-refs'))) throw new Error('packed refs are not understood here');
  const files = readdirSync(join(path, 'refs'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const refs = files.map((entry) => {
    const file = join(entry.parentPath, entry.name);
    return [relative(path, file), readFileSync(file, 'utf8').trim()] as const;
  });
  return new Map(refs.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function writeRefs(path: string, updates: readonly RefUpdate[]): boolean {
  const now = readRefs(path);
  if (updates.some(({ name, before }) => (now.get(name) ?? null) !== before)) return false;
  for (const { name, after } of updates) {
    const file = join(path, name);
    if (after === null) rmSync(file);
    else {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${after}\n`);
    }
  }
  return true;
}

/** As `--date-order`: no commit before one that has it as a parent, otherwise by time. */
function newestFirst(commits: readonly GitCommit[]): readonly GitCommit[] {
  const children = new Map<Oid, number>();
  for (const { parents } of commits) for (const oid of parents) children.set(oid, (children.get(oid) ?? 0) + 1);
  const byId = new Map(commits.map((commit) => [commit.oid, commit]));
  const ready = commits.filter(({ oid }) => !children.has(oid));
  const ordered: GitCommit[] = [];
  while (ready.length > 0) {
    ready.sort((a, b) => a.committer.at - b.committer.at);
    const next = ready.pop();
    if (next === undefined) break;
    ordered.push(next);
    for (const oid of next.parents) {
      const left = (children.get(oid) ?? 0) - 1;
      children.set(oid, left);
      const parent = byId.get(oid);
      if (left === 0 && parent !== undefined) ready.push(parent);
    }
  }
  return ordered;
}

const same = (a: TreeFile | undefined, b: TreeFile | undefined): boolean => a?.oid === b?.oid && a?.mode === b?.mode;

function difference(before: TreeFiles, after: TreeFiles): TouchedPaths {
  return {
    added: [...after.keys()].filter((path) => !before.has(path)),
    removed: [...before.keys()].filter((path) => !after.has(path)),
    modified: [...after.keys()].filter((path) => before.has(path) && !same(before.get(path), after.get(path))),
  };
}

/** `null` when both sides changed one file. */
function mergeFiles(from: TreeFiles, left: TreeFiles, right: TreeFiles): TreeFiles | null {
  const merged = new Map<string, TreeFile>();
  for (const path of new Set([...from.keys(), ...left.keys(), ...right.keys()])) {
    const [base, ours, theirs] = [from.get(path), left.get(path), right.get(path)];
    if (!same(ours, base) && !same(theirs, base) && !same(ours, theirs)) return null;
    const kept = same(ours, base) ? theirs : ours;
    if (kept !== undefined) merged.set(path, kept);
  }
  return merged;
}
