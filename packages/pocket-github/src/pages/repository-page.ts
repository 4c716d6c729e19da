import { findRef, fullName } from '../world/lookup.js';
import type { Issue, Repository } from '../world/model.js';
import { isoTime } from '../world/time.js';
import { crumbsOf, labelChips, stateBadge } from './fragments.js';
import { type Html, html } from './html.js';
import { layout } from './layout.js';
import { renderMarkdown } from './markdown.js';
import type { PageScope } from './page-scope.js';

const SHOWN_COMMITS = 20;

export async function repositoryPage(scope: PageScope, repository: Repository): Promise<string> {
  const { db, urls } = scope;
  const name = fullName(db, repository);
  const rows = db.issues.by('repositoryId', repository.id).toReversed();
  const content = html`<h1>${name}</h1><p class="soft">${repository.description ?? ''}</p>
<p class="mono">git clone ${urls.html}/${name}.git</p>
${listing(
  scope,
  name,
  'Issues',
  rows.filter((issue) => issue.pullId === null),
)}
${listing(
  scope,
  name,
  'Pull requests',
  rows.filter((issue) => issue.pullId !== null),
)}
<h2>Branches</h2>
<div class="rows">${branches(scope, repository)}</div>
<h2>Commits on ${repository.defaultBranch}</h2>
${await commits(scope, repository)}
${await readme(scope, repository)}`;
  return layout(name, crumbsOf(scope, repository), content);
}

function listing(scope: PageScope, name: string, title: string, issues: readonly Issue[]): Html {
  if (issues.length === 0) return html`<h2>${title}</h2><p class="soft">None.</p>`;
  const rows = issues.map((issue) => {
    const path = `/${name}/${issue.pullId === null ? 'issues' : 'pull'}/${issue.number}`;
    return html`<div>${stateBadge(scope, issue)} <a href="${path}"><b>${issue.title}</b></a> <span class="soft">#${issue.number}</span> ${labelChips(scope, issue)}</div>`;
  });
  return html`<h2>${title}</h2><div class="rows">${rows}</div>`;
}

function branches({ db }: PageScope, repository: Repository): readonly Html[] {
  return db.refs
    .by('repositoryId', repository.id)
    .filter((ref) => ref.name.startsWith('refs/heads/'))
    .map(
      (ref) =>
        html`<div>${ref.name.slice('refs/heads/'.length)} <span class="mono soft">${ref.oid.slice(0, 7)}</span></div>`,
    );
}

async function commits({ db, world }: PageScope, repository: Repository): Promise<Html> {
  const tip = findRef(db, repository.id, `refs/heads/${repository.defaultBranch}`)?.oid;
  if (tip === undefined) return html`<p class="soft">None yet.</p>`;
  const log = await world.git(repository.id).log(null, tip, { limit: SHOWN_COMMITS });
  const rows = log.map(
    (commit) =>
      html`<div><span class="mono">${commit.oid.slice(0, 7)}</span> ${commit.message.split('\n')[0] ?? ''} <span class="soft">${commit.author.name} · ${isoTime(commit.author.at)}</span></div>`,
  );
  return html`<div class="rows">${rows}</div>`;
}

async function readme({ db, world }: PageScope, repository: Repository): Promise<Html | null> {
  const git = world.git(repository.id);
  const tip = findRef(db, repository.id, `refs/heads/${repository.defaultBranch}`)?.oid;
  const entry = tip === undefined ? null : await git.entryAt(tip, 'README.md');
  const object = entry === null ? null : await git.object(entry.oid);
  if (object?.type !== 'blob') return null;
  return html`<h2>README.md</h2><div class="comment"><div class="body">${renderMarkdown(object.content.toString('utf8'))}</div></div>`;
}
