import type { components } from '@octokit/openapi-types';
import type { GitTreeEntry } from '../../git/git-repository.js';
import type { Scope } from '../../http/context.js';
import { fullName } from '../../world/lookup.js';
import type { Repository } from '../../world/model.js';
import { foldedBase64 } from '../git-data/encoding.js';

type Schemas = components['schemas'];

/** The content of larger files is left out; it takes the raw media type or the blob. */
const MAX_SHOWN_BYTES = 1024 * 1024;

/** Something in a repository: an entry with its whole path, seen at a branch, tag or commit. */
export interface Place {
  readonly entry: GitTreeEntry;
  readonly ref: string;
}

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

function typeOf({ type, mode }: GitTreeEntry): 'dir' | 'submodule' | 'symlink' | 'file' {
  if (type === 'tree') return 'dir';
  if (type === 'commit') return 'submodule';
  return mode === '120000' ? 'symlink' : 'file';
}

/** The fields that every file and folder of a repository has. */
export function contentFacts({ db, urls }: Scope, repository: Repository, { entry, ref }: Place) {
  const { oid: sha, type, size, path } = entry;
  const name = fullName(db, repository);
  const at = encoded(path);
  const self = `${urls.api}/repos/${name}/contents/${at}?ref=${encodeURIComponent(ref)}`;
  const git = `${urls.api}/repos/${name}/git/${type === 'tree' ? 'trees' : 'blobs'}/${sha}`;
  const html = `${urls.html}/${name}/${type === 'tree' ? 'tree' : 'blob'}/${encoded(ref)}/${at}`;
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    sha,
    size: size ?? 0,
    url: self,
    html_url: html,
    git_url: git,
    download_url: type === 'blob' ? `${urls.html}/${name}/raw/${encoded(ref)}/${at}` : null,
    type: typeOf(entry),
    _links: { self, git, html },
  };
}

export function fileContentJson(scope: Scope, repository: Repository, place: Place, content: Buffer) {
  const shown = content.length <= MAX_SHOWN_BYTES;
  return {
    ...contentFacts(scope, repository, place),
    type: 'file' as const,
    content: shown ? foldedBase64(content) : '',
    encoding: shown ? 'base64' : 'none',
  } satisfies Schemas['content-file'];
}

export function symlinkJson(scope: Scope, repository: Repository, place: Place, target: string) {
  return {
    ...contentFacts(scope, repository, place),
    type: 'symlink' as const,
    target,
  } satisfies Schemas['content-symlink'];
}

/** Submodules are listed as files, which GitHub keeps up for the sake of old clients. */
export function directoryJson(scope: Scope, repository: Repository, places: readonly Place[]) {
  return places.map((place) => {
    const facts = contentFacts(scope, repository, place);
    return { ...facts, type: facts.type === 'submodule' ? ('file' as const) : facts.type };
  }) satisfies Schemas['content-directory'];
}
