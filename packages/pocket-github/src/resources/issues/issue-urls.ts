import type { Scope } from '../../http/context.js';
import { fullName } from '../../world/lookup.js';
import type { Issue } from '../../world/model.js';

/** Where an issue, or a pull request seen as an issue, is found. */
export function issueUrls({ db, urls }: Scope, issue: Issue) {
  const name = fullName(db, db.repositories.must(issue.repositoryId));
  const repository = `${urls.api}/repos/${name}`;
  const url = `${repository}/issues/${issue.number}`;
  return {
    url,
    repository_url: repository,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: `${urls.html}/${name}/${issue.pullId === null ? 'issues' : 'pull'}/${issue.number}`,
  };
}
