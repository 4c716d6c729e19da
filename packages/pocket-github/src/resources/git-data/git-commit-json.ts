import type { components } from '@octokit/openapi-types';
import type { GitCommit, GitPerson } from '../../git/git-repository.js';
import { formatGitNodeId } from '../../graphql/git-node-id.js';
import type { Scope } from '../../http/context.js';
import { fullName } from '../../world/lookup.js';
import type { Repository } from '../../world/model.js';
import { isoTime } from '../../world/time.js';

export const UNSIGNED = { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null };

export const datedPersonJson = ({ name, email, at }: GitPerson) => ({ name, email, date: isoTime(at) });

/** A commit as git itself knows it: without accounts and files. */
export function gitCommitJson({ db, urls }: Scope, repository: Repository, commit: GitCommit) {
  const name = fullName(db, repository);
  const api = `${urls.api}/repos/${name}/git`;
  const html = `${urls.html}/${name}/commit`;
  const { oid, tree, parents } = commit;
  return {
    sha: oid,
    node_id: formatGitNodeId('Commit', repository.id, oid),
    url: `${api}/commits/${oid}`,
    html_url: `${html}/${oid}`,
    author: datedPersonJson(commit.author),
    committer: datedPersonJson(commit.committer),
    message: commit.message.trimEnd(),
    tree: { sha: tree, url: `${api}/trees/${tree}` },
    parents: parents.map((sha) => ({ sha, url: `${api}/commits/${sha}`, html_url: `${html}/${sha}` })),
    verification: UNSIGNED,
  } satisfies components['schemas']['git-commit'];
}
