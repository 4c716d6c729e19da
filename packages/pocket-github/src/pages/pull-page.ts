import { fullName, isFromFork } from '../world/lookup.js';
import type { CheckRun, Pull, Repository } from '../world/model.js';
import { conversation } from './conversation.js';
import { authorOf, commentForm, crumbsOf, labelChips, stateBadge } from './fragments.js';
import { type Html, html } from './html.js';
import { layout } from './layout.js';
import { renderMarkdown } from './markdown.js';
import type { PageScope } from './page-scope.js';

/** Longer diffs are cut: this page is for looking, git is for the rest. */
const MAX_DIFF_LINES = 2000;

export async function pullPage(scope: PageScope, repository: Repository, pull: Pull): Promise<string> {
  const { db, world } = scope;
  const issue = db.issues.must(pull.issueId);
  const path = `/${fullName(db, repository)}/pull/${pull.number}`;
  const git = world.git(repository.id);
  const fork = (await git.mergeBase(pull.baseOid, pull.headOid)) ?? pull.baseOid;
  const log = await git.log(fork, pull.headOid);
  const commits = log
    .toReversed()
    .map(
      (commit) =>
        html`<div><span class="mono">${commit.oid.slice(0, 7)}</span> ${commit.message.split('\n')[0] ?? ''} <span class="soft">${commit.author.name}</span></div>`,
    );
  const content = html`<h1>${issue.title} <span class="soft">#${pull.number}</span></h1>
<p>${stateBadge(scope, issue)} ${authorOf(scope, issue.authorId)} wants to merge <code>${headName(scope, pull)}</code> into <code>${pull.baseRef}</code> ${labelChips(scope, issue)}</p>
${conversation(scope, issue)}
<h2>Checks on ${pull.headOid.slice(0, 7)}</h2>
${checks(scope, repository, pull)}
<h2>Commits</h2>
<div class="rows">${commits}</div>
<h2>Changes</h2>
${diff(await git.diff(fork, pull.headOid))}
${commentForm(scope, path)}`;
  return layout(`${issue.title} · #${pull.number}`, crumbsOf(scope, repository), content);
}

/** With its owner where it is in a fork, as on GitHub. */
function headName({ db }: PageScope, pull: Pull): string {
  return isFromFork(pull) ? `${db.users.must(pull.headOwnerId).login}:${pull.headRef}` : pull.headRef;
}

function checks({ db }: PageScope, repository: Repository, pull: Pull): Html {
  const runs = db.checkRuns.by('headOid', pull.headOid).filter((run) => run.repositoryId === repository.id);
  const statuses = db.statuses.by('oid', pull.headOid).filter((status) => status.repositoryId === repository.id);
  const rows = [
    ...runs.map(
      (run) =>
        html`<div><span class="${tone(run)}">${run.conclusion ?? run.status}</span> <b>${run.name}</b> ${run.title ?? ''}${details(run)}</div>`,
    ),
    ...statuses.map(
      (status) =>
        html`<div><span class="${status.state === 'error' ? 'failure' : status.state}">${status.state}</span> <b>${status.context}</b> ${status.description ?? ''}</div>`,
    ),
  ];
  return rows.length === 0 ? html`<p class="soft">None.</p>` : html`<div class="rows">${rows}</div>`;
}

function details(run: CheckRun): Html | null {
  if (run.summary === null || run.summary === '') return null;
  return html`<details><summary>Summary</summary>${renderMarkdown(run.summary)}</details>`;
}

function tone(run: CheckRun): 'success' | 'failure' | 'pending' {
  if (run.status !== 'completed') return 'pending';
  return run.conclusion === 'success' || run.conclusion === 'neutral' || run.conclusion === 'skipped'
    ? 'success'
    : 'failure';
}

function diff(text: string): Html {
  const lines = text.split('\n');
  const shown = lines.slice(0, MAX_DIFF_LINES).map((line) => {
    const kind = line.startsWith('@@') ? 'hunk' : line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : '';
    return html`<span class="${kind}">${line}</span>`;
  });
  const rest =
    lines.length > MAX_DIFF_LINES ? html`<p class="soft">${lines.length - MAX_DIFF_LINES} more lines.</p>` : null;
  return html`<pre class="diff">${shown}</pre>${rest}`;
}
