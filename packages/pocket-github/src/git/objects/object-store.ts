import type { Oid } from '../../world/model.js';
import type { GitCommit, GitObject, GitTreeEntry } from '../git-repository.js';
import type { ObjectReader, RawObject } from './object-reader.js';
import { parseCommit, parseTag, parseTree, type TreeLine } from './parse-object.js';

/** Parsed objects of one repository, by id or by path. */
export class ObjectStore {
  readonly #reader: ObjectReader;

  constructor(reader: ObjectReader) {
    this.#reader = reader;
  }

  async object(oid: Oid): Promise<GitObject | null> {
    const raw = await this.#reader.read(oid);
    if (raw === null) return null;
    if (raw.type === 'blob') return { type: 'blob', oid, content: raw.content };
    if (raw.type === 'commit') return { type: 'commit', oid, commit: parseCommit(oid, raw.content) };
    if (raw.type === 'tag') return { type: 'tag', oid, ...parseTag(raw.content) };
    return {
      type: 'tree',
      oid,
      entries: await Promise.all(parseTree(raw.content).map((line) => this.#withSize(line))),
    };
  }

  async exists(oid: Oid): Promise<boolean> {
    return (await this.#reader.info(oid)) !== null;
  }

  async commit(oid: Oid): Promise<GitCommit | null> {
    const raw = await this.#reader.read(oid);
    return raw?.type === 'commit' ? parseCommit(oid, raw.content) : null;
  }

  /** The lines of the tree that a commit, tag or tree leads to; `null` if it leads to none. */
  async tree(treeish: Oid): Promise<{ readonly oid: Oid; readonly lines: readonly TreeLine[] } | null> {
    let raw: RawObject | null = await this.#reader.read(treeish);
    while (raw?.type === 'commit' || raw?.type === 'tag') {
      const next: Oid = raw.type === 'commit' ? parseCommit(raw.oid, raw.content).tree : parseTag(raw.content).target;
      raw = await this.#reader.read(next);
    }
    return raw?.type === 'tree' ? { oid: raw.oid, lines: parseTree(raw.content) } : null;
  }

  async entryAt(treeish: Oid, path: string): Promise<GitTreeEntry | null> {
    let tree = await this.tree(treeish);
    if (tree === null || path === '')
      return tree && { path: '', mode: '040000', type: 'tree', oid: tree.oid, size: null };
    const names = path.split('/');
    const last = names.pop();
    for (const name of names) {
      const line: TreeLine | undefined = tree?.lines.find((entry) => entry.path === name);
      tree = line?.type === 'tree' ? await this.tree(line.oid) : null;
    }
    const line = tree?.lines.find((entry) => entry.path === last);
    return line === undefined ? null : this.#withSize({ ...line, path });
  }

  async #withSize(line: TreeLine): Promise<GitTreeEntry> {
    const info = line.type === 'blob' ? await this.#reader.info(line.oid) : null;
    return { ...line, size: info?.size ?? null };
  }
}
