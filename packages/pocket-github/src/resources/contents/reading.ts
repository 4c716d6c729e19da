import { posix } from 'node:path';
import type { GitRepository, GitTreeEntry } from '../../git/git-repository.js';
import type { Context } from '../../http/context.js';
import { notFound, UnmodelledError } from '../../world/errors.js';
import type { Oid, Repository } from '../../world/model.js';
import { resolveExpression } from '../git-data/expression.js';

/** GitHub lists no more of a directory than this. */
const MAX_LISTED = 1000;

/** What is found at a path. */
export type Found =
  | { readonly kind: 'file'; readonly entry: GitTreeEntry; readonly content: Buffer }
  /** A link that leads to no file of the repository. */
  | { readonly kind: 'symlink'; readonly entry: GitTreeEntry; readonly target: string }
  | { readonly kind: 'directory'; readonly entry: GitTreeEntry; readonly entries: readonly GitTreeEntry[] };

/** The commit a client reads at: the one it names, else the tip of the default branch. */
export async function commitToRead(context: Context, repository: Repository, ref: string | undefined): Promise<Oid> {
  if (context.db.refs.by('repositoryId', repository.id).length === 0) throw notFound('This repository is empty.');
  const commit = await resolveExpression(context, repository, `${ref ?? 'HEAD'}^{commit}`);
  if (commit === null) throw notFound(`No commit found for the ref ${ref ?? repository.defaultBranch}`);
  return commit.oid;
}

/** What a commit has at a path; 404 if nothing. A link to a file of the repository is followed. */
export async function find(git: GitRepository, commit: Oid, path: string): Promise<Found> {
  const entry = await git.entryAt(commit, path);
  if (entry === null) throw notFound();
  if (entry.type === 'commit') throw new UnmodelledError(`contents of a submodule (${path})`);
  const object = await git.object(entry.oid);
  if (object?.type === 'tree') {
    const below = path === '' ? '' : `${path}/`;
    const entries = object.entries.slice(0, MAX_LISTED).map((one) => ({ ...one, path: `${below}${one.path}` }));
    return { kind: 'directory', entry, entries };
  }
  if (object?.type !== 'blob') throw notFound();
  return entry.mode === '120000'
    ? follow(git, commit, entry, object.content.toString())
    : { kind: 'file', entry, content: object.content };
}

async function follow(git: GitRepository, commit: Oid, link: GitTreeEntry, target: string): Promise<Found> {
  const path = posix.join(posix.dirname(link.path), target);
  const entry = path.startsWith('../') ? null : await git.entryAt(commit, path);
  const object = entry?.type === 'blob' && entry.mode !== '120000' ? await git.object(entry.oid) : null;
  if (entry === null || object?.type !== 'blob') return { kind: 'symlink', entry: link, target };
  return { kind: 'file', entry, content: object.content };
}

/** Where GitHub looks for the README, in this order. */
const README_FOLDERS = ['.github', '', 'docs'];
const README = /^readme(?:\.[a-z]+)?$/i;

export async function findReadme(git: GitRepository, commit: Oid): Promise<string> {
  for (const folder of README_FOLDERS) {
    const entry = await git.entryAt(commit, folder);
    const object = entry?.type === 'tree' ? await git.object(entry.oid) : null;
    const names =
      object?.type === 'tree' ? object.entries.filter(({ type }) => type === 'blob').map(({ path }) => path) : [];
    const readmes = names.filter((name) => README.test(name));
    // Markdown is what most mean by it.
    const name = readmes.find((one) => /\.md$/i.test(one)) ?? readmes[0];
    if (name !== undefined) return folder === '' ? name : `${folder}/${name}`;
  }
  throw notFound();
}
