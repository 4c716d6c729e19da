import type { Oid } from '../../world/model.js';
import { unprocessable } from '../../world/errors.js';
import type { GitCommands } from '../git-command.js';
import type { ObjectStore } from './object-store.js';
import { type TreeLine, typeOfMode } from './parse-object.js';

/** A path to set or, with `oid: null`, to remove. */
export interface TreeEdit {
  readonly path: string;
  readonly mode: string;
  readonly oid: Oid | null;
}

const EMPTY: readonly TreeLine[] = [];
/** Names git keeps for itself or cannot store. NUL would end the entry and begin another. */
const MALFORMED = /^(?:\.{0,2}|\.git)$|[\0\p{Cs}]/iu;

/** Writes the trees that differ from `base` and gives the id of the root. Directories left empty disappear, as in git. */
export async function writeTree(
  git: GitCommands,
  objects: ObjectStore,
  base: Oid | null,
  edits: readonly TreeEdit[],
): Promise<Oid> {
  const lines = await edited(git, objects, base, edits);
  return makeTree(git, lines);
}

async function edited(
  git: GitCommands,
  objects: ObjectStore,
  base: Oid | null,
  edits: readonly TreeEdit[],
): Promise<readonly TreeLine[]> {
  const existing = base === null ? EMPTY : (await objects.tree(base))?.lines;
  if (existing === undefined) throw unprocessable(`${base} is not a tree`);
  const lines = new Map(existing.map((line) => [line.path, line]));
  const deeper = new Map<string, TreeEdit[]>();
  for (const { path, mode, oid } of edits) {
    const slash = path.indexOf('/');
    const name = slash === -1 ? path : path.slice(0, slash);
    if (MALFORMED.test(name)) throw unprocessable('tree.path contains a malformed path component');
    if (slash !== -1) deeper.set(name, [...(deeper.get(name) ?? []), { path: path.slice(slash + 1), mode, oid }]);
    else if (oid === null) lines.delete(name);
    else lines.set(name, { path: name, mode, type: typeOfMode(mode), oid });
  }
  for (const [name, inner] of deeper) {
    const line = lines.get(name);
    const below = await edited(git, objects, line?.type === 'tree' ? line.oid : null, inner);
    if (below.length > 0)
      lines.set(name, { path: name, mode: '040000', type: 'tree', oid: await makeTree(git, below) });
    // Removing `a/b` where `a` is a file removes nothing.
    else if (line?.type === 'tree') lines.delete(name);
  }
  return [...lines.values()];
}

function makeTree(git: GitCommands, lines: readonly TreeLine[]): Promise<Oid> {
  const input = lines.map(({ mode, type, oid, path }) => `${mode} ${type} ${oid}\t${path}\0`).join('');
  return git.text(['mktree', '-z'], { input });
}
