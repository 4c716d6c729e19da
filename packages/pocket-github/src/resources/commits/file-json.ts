import type { components } from '@octokit/openapi-types';
import type { GitFileChange } from '../../git/git-repository.js';
import type { Scope } from '../../http/context.js';
import { fullName } from '../../world/lookup.js';
import type { Oid, Repository } from '../../world/model.js';

/** A changed file, as pull requests, commits and comparisons list it. `commit` is where its new content is. */
export function fileJson({ db, urls }: Scope, repository: Repository, commit: Oid, change: GitFileChange) {
  const name = fullName(db, repository);
  const path = change.path.split('/').map(encodeURIComponent).join('/');
  return {
    sha: change.oid,
    filename: change.path,
    status: change.status,
    additions: change.additions,
    deletions: change.deletions,
    changes: change.additions + change.deletions,
    blob_url: `${urls.html}/${name}/blob/${commit}/${path}`,
    raw_url: `${urls.html}/${name}/raw/${commit}/${path}`,
    contents_url: `${urls.api}/repos/${name}/contents/${path}?ref=${commit}`,
    ...(change.patch === null ? {} : { patch: change.patch }),
    ...(change.previousPath === null ? {} : { previous_filename: change.previousPath }),
  } satisfies components['schemas']['diff-entry'];
}
