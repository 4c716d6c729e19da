import { fullName } from '../world/lookup.js';
import type { Issue, Repository } from '../world/model.js';
import { conversation } from './conversation.js';
import { authorOf, commentForm, crumbsOf, labelChips, stateBadge } from './fragments.js';
import { type Html, html } from './html.js';
import { layout } from './layout.js';
import type { PageScope } from './page-scope.js';

export async function issuePage(scope: PageScope, repository: Repository, issue: Issue): Promise<string> {
  const path = `/${fullName(scope.db, repository)}/issues/${issue.number}`;
  const content = html`<h1>${issue.title} <span class="soft">#${issue.number}</span></h1>
<p>${stateBadge(scope, issue)} ${authorOf(scope, issue.authorId)} opened this issue ${labelChips(scope, issue)}</p>
${relations(scope, issue)}
${conversation(scope, issue)}
${commentForm(scope, path)}`;
  return layout(`${issue.title} · #${issue.number}`, crumbsOf(scope, repository), content);
}

function relations({ db }: PageScope, issue: Issue): Html | null {
  const link = (id: number): Html => {
    const other = db.issues.must(id);
    const path = `/${fullName(db, db.repositories.must(other.repositoryId))}/issues/${other.number}`;
    return html`<a href="${path}">#${other.number} ${other.title}</a> <span class="soft">${other.state}</span>`;
  };
  const rows = [
    ...(issue.parentId === null ? [] : [html`<div>Part of ${link(issue.parentId)}</div>`]),
    ...issue.subIssueIds.map((id) => html`<div>Sub-issue ${link(id)}</div>`),
    ...issue.blockedBy.map(({ issueId }) => html`<div>Blocked by ${link(issueId)}</div>`),
  ];
  return rows.length === 0 ? null : html`<div class="rows">${rows}</div>`;
}
