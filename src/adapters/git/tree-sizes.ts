import type { Oid } from '../../domain/issue/ids.js';
import { GitHostError } from '../../ports/git-host.js';
import type { Git, GitCommandOptions } from './git-process.js';

/** What a checkout of a tree would hold. */
export interface TreeSize {
  /** Files, links and submodules, counted at every path. */
  readonly paths: number;
  /** Folders within folders. */
  readonly depth: number;
  /** Repositories within the repository (submodules). */
  readonly links: number;
}

/** One tree without its subtrees. */
interface RawTree {
  readonly files: number;
  readonly links: number;
  readonly trees: readonly Oid[];
}

/** Trees never change, so counts are remembered, up to this many. */
const REMEMBERED = 300_000;
/** Deeper than any path can be; such a tree is an attack. */
const MOST_STEPS = 4_096;
const MOST_BYTES = 512 * 2 ** 20;

/** Sizes of trees by id. A few bytes can describe a billion paths, so every tree is read once and none is expanded. */
export type TreeSizes = Map<Oid, TreeSize>;

/** The size of each tree, read from wherever `options` lets git look. */
export async function measureTrees(
  known: TreeSizes,
  git: Git,
  path: string,
  roots: readonly Oid[],
  options: GitCommandOptions = {},
): Promise<readonly TreeSize[]> {
  if (known.size > REMEMBERED) known.clear();
  const raw = new Map<Oid, RawTree>();
  let open = unique(roots).filter((oid) => !known.has(oid));
  for (let step = 0; open.length > 0; step += 1) {
    if (step > MOST_STEPS) throw new GitHostError('The work has folders without end.', 'permanent');
    for (const [oid, tree] of await readTrees(git, path, open, options)) raw.set(oid, tree);
    const below = open.flatMap((oid) => raw.get(oid)?.trees ?? []);
    open = unique(below).filter((oid) => !known.has(oid) && !raw.has(oid));
  }
  for (const oid of roots) count(known, raw, oid);
  return roots.map((oid) => sizeOf(known, oid));
}

const unique = (oids: readonly Oid[]): readonly Oid[] => [...new Set(oids)];

const NOTHING: TreeSize = { paths: 0, depth: 0, links: 0 };
const sizeOf = (known: TreeSizes, oid: Oid): TreeSize => known.get(oid) ?? NOTHING;

/** Not recursive, because the author of the trees controls the depth. */
function count(known: TreeSizes, raw: ReadonlyMap<Oid, RawTree>, root: Oid): void {
  const stack = [root];
  for (let oid = stack.at(-1); oid !== undefined; oid = stack.at(-1)) {
    const tree = raw.get(oid);
    const waiting = known.has(oid) ? [] : (tree?.trees.filter((below) => !known.has(below)) ?? []);
    if (waiting.length > 0) {
      stack.push(...unique(waiting));
      continue;
    }
    stack.pop();
    if (known.has(oid) || tree === undefined) continue;
    const below = tree.trees.map((each) => sizeOf(known, each));
    known.set(oid, {
      paths: below.reduce((sum, { paths }) => sum + paths, tree.files + tree.links),
      links: below.reduce((sum, { links }) => sum + links, tree.links),
      depth: below.reduce((deepest, { depth }) => Math.max(deepest, depth + 1), 0),
    });
  }
}

async function readTrees(
  git: Git,
  path: string,
  oids: readonly Oid[],
  options: GitCommandOptions,
): Promise<ReadonlyMap<Oid, RawTree>> {
  const { exitCode, stdout, stderr } = await git(path, ['cat-file', '--batch'], {
    ...options,
    input: `${oids.join('\n')}\n`,
    maxOutputBytes: MOST_BYTES,
  });
  if (exitCode !== 0) throw new GitHostError(`git cat-file failed with ${exitCode}: ${stderr}`, 'permanent');
  const trees = new Map<Oid, RawTree>();
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf('\n', at);
    const [oid = '', type, size] = stdout.subarray(at, end).toString().split(' ');
    if (type !== 'tree') throw new GitHostError(`The work has no tree ${oid}.`, 'permanent');
    const start = end + 1;
    at = start + Number(size);
    trees.set(oid, parseTree(stdout.subarray(start, at)));
    // The content is followed by one more newline.
    at += 1;
  }
  return trees;
}

const OID_BYTES = 20;

/** Entries are `<mode> <name>\0` and the id in bytes. */
function parseTree(content: Buffer): RawTree {
  const trees: Oid[] = [];
  let [files, links] = [0, 0];
  for (let at = 0; at < content.length; ) {
    const name = content.indexOf(0, at);
    const mode = content.subarray(at, content.indexOf(' ', at)).toString();
    at = name + 1 + OID_BYTES;
    if (mode === '40000' || mode === '040000') trees.push(content.subarray(name + 1, at).toString('hex'));
    else if (mode === '160000') links += 1;
    else files += 1;
  }
  return { files, links, trees };
}
