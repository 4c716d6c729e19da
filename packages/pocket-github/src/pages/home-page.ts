import { fullName } from '../world/lookup.js';
import { html } from './html.js';
import { layout } from './layout.js';
import type { PageScope } from './page-scope.js';

/** All repositories and where their API is. */
export function homePage({ db, urls }: PageScope): string {
  const rows = db.repositories.all().map((repository) => {
    const issues = db.issues.by('repositoryId', repository.id);
    const open = issues.filter((issue) => issue.state === 'open' && issue.pullId === null).length;
    const pulls = issues.filter((issue) => issue.state === 'open' && issue.pullId !== null).length;
    const name = fullName(db, repository);
    return html`<div><a href="/${name}"><b>${name}</b></a> <span class="soft">${repository.description ?? ''} · ${open} open issues · ${pulls} open pull requests</span></div>`;
  });
  const content = html`<h1>Repositories</h1>
${rows.length === 0 ? html`<p class="soft">None yet. Seed some with <code>sluice pocket --seed FILE</code>.</p>` : html`<div class="rows">${rows}</div>`}
<h2>Addresses</h2>
<table><tr><th>REST</th><td class="mono">${urls.api}</td></tr><tr><th>GraphQL</th><td class="mono">${urls.graphql}</td></tr><tr><th>git</th><td class="mono">${urls.html}/OWNER/NAME.git</td></tr></table>`;
  return layout('Pocket GitHub', [], content);
}
