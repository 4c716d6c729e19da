import type { Scope } from '../../http/context.js';
import { fullName } from '../../world/lookup.js';
import type { Pull } from '../../world/model.js';

/** Where a pull request is found. */
export function pullUrls({ db, urls }: Scope, pull: Pull) {
  const name = fullName(db, db.repositories.must(pull.repositoryId));
  const repository = `${urls.api}/repos/${name}`;
  const url = `${repository}/pulls/${pull.number}`;
  const issue = `${repository}/issues/${pull.number}`;
  const path = `/${name}/pull/${pull.number}`;
  return {
    path,
    repository,
    url,
    html: `${urls.html}${path}`,
    issue,
    commits: `${url}/commits`,
    reviewComments: `${url}/comments`,
    reviewComment: `${repository}/pulls/comments{/number}`,
    comments: `${issue}/comments`,
    statuses: `${repository}/statuses/${pull.headOid}`,
  };
}
