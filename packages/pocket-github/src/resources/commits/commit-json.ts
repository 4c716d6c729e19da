import type { components } from '@octokit/openapi-types';
import type { GitCommit, GitPerson } from '../../git/git-repository.js';
import { formatGitNodeId } from '../../graphql/git-node-id.js';
import type { Scope } from '../../http/context.js';
import { fullName } from '../../world/lookup.js';
import type { Repository } from '../../world/model.js';
import { isoTime } from '../../world/time.js';
import { simpleUser } from '../users/user-json.js';

/** A commit as lists of commits show it. Signatures and comments on commits are not modelled: there are none. */
export function commitJson(scope: Scope, repository: Repository, commit: GitCommit) {
  const { db, urls } = scope;
  const name = fullName(db, repository);
  const api = `${urls.api}/repos/${name}`;
  const html = `${urls.html}/${name}`;
  const { oid } = commit;
  return {
    sha: oid,
    node_id: formatGitNodeId('Commit', repository.id, oid),
    commit: {
      author: personJson(commit.author),
      committer: personJson(commit.committer),
      message: commit.message.trimEnd(),
      tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
      url: `${api}/git/commits/${oid}`,
      comment_count: 0,
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
    url: `${api}/commits/${oid}`,
    html_url: `${html}/commit/${oid}`,
    comments_url: `${api}/commits/${oid}/comments`,
    author: accountJson(scope, commit.author),
    committer: accountJson(scope, commit.committer),
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: `${api}/commits/${parent}`,
      html_url: `${html}/commit/${parent}`,
    })),
  } satisfies components['schemas']['commit'];
}

const personJson = ({ name, email, at }: GitPerson) => ({ name, email, date: isoTime(at) });

/** The account whose address the commit carries. */
function accountJson(scope: Scope, { email }: GitPerson) {
  const user = scope.db.users.by('email', email)[0];
  return user === undefined ? null : simpleUser(scope, user);
}
