import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Oid } from '../../../../src/domain/issue/ids.js';
import type { GitRepository, NewCommit } from '../../src/git/git-repository.js';

/** A file of a tree. */
export interface TreeFile {
  readonly mode: string;
  readonly oid: Oid;
}

/** Files by their whole path. */
export type TreeFiles = ReadonlyMap<string, TreeFile>;

/** Real git objects in a real repository, written without a process: tests that need thousands have no time for git. */
export class GitObjects {
  readonly #git: GitRepository;

  constructor(git: GitRepository) {
    this.#git = git;
  }

  blob(text: string): TreeFile {
    return { mode: '100644', oid: this.#write('blob', Buffer.from(text)) };
  }

  tree(files: TreeFiles): Oid {
    const folders = new Map<string, Map<string, TreeFile>>();
    const lines: { readonly name: string; readonly mode: string; readonly oid: Oid }[] = [];
    for (const [path, file] of files) {
      const [name = '', ...rest] = path.split('/');
      if (rest.length === 0) lines.push({ name, ...file });
      else folders.set(name, (folders.get(name) ?? new Map<string, TreeFile>()).set(rest.join('/'), file));
    }
    for (const [name, inner] of folders) lines.push({ name, mode: '40000', oid: this.tree(inner) });
    // As git sorts: by bytes, a folder as if its name ended in a slash.
    const key = ({ name, mode }: { name: string; mode: string }): Buffer =>
      Buffer.from(mode === '40000' ? `${name}/` : name);
    lines.sort((a, b) => Buffer.compare(key(a), key(b)));
    return this.#write(
      'tree',
      Buffer.concat(
        lines.flatMap(({ name, mode, oid }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
      ),
    );
  }

  commit({ tree, parents, message, author, committer }: NewCommit): Oid {
    const people = Object.entries({ author, committer }).map(
      ([role, { name, email, at, zone = '+0000' }]) => `${role} ${name} <${email}> ${Math.floor(at / 1000)} ${zone}`,
    );
    const headers = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), ...people];
    return this.#write('commit', Buffer.from(`${headers.join('\n')}\n\n${message}`));
  }

  /** Everything a tree holds. */
  async files(tree: Oid, below = ''): Promise<TreeFiles> {
    const object = await this.#git.object(tree);
    if (object?.type !== 'tree') throw new Error(`${tree} is not a tree`);
    const files = new Map<string, TreeFile>();
    for (const { path, mode, type, oid } of object.entries) {
      if (type === 'tree') for (const [name, file] of await this.files(oid, `${below}${path}/`)) files.set(name, file);
      else files.set(`${below}${path}`, { mode, oid });
    }
    return files;
  }

  #write(type: 'blob' | 'tree' | 'commit', content: Buffer): Oid {
    const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
    const oid = createHash('sha1').update(whole).digest('hex');
    const folder = join(this.#git.path, 'objects', oid.slice(0, 2));
    const file = join(folder, oid.slice(2));
    if (existsSync(file)) return oid;
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${file}.new`, deflateSync(whole));
    renameSync(`${file}.new`, file);
    return oid;
  }
}
