import { fullName } from '../world/lookup.js';
import type { Issue, Repository } from '../world/model.js';
import { isoTime } from '../world/time.js';
import { type Html, html } from './html.js';
import { renderMarkdown } from './markdown.js';
import type { PageScope } from './page-scope.js';

/* Pieces that several pages share. */

export function stateBadge({ db }: PageScope, issue: Issue): Html {
  if (issue.pullId === null)
    return issue.state === 'open'
      ? html`<span class="badge open">Open</span>`
      : html`<span class="badge closed">Closed</span>`;
  const pull = db.pulls.must(issue.pullId);
  if (pull.mergedAt !== null) return html`<span class="badge closed">Merged</span>`;
  if (issue.state === 'closed') return html`<span class="badge unmerged">Closed</span>`;
  return pull.draft ? html`<span class="badge draft">Draft</span>` : html`<span class="badge open">Open</span>`;
}

export function labelChips({ db }: PageScope, issue: Issue): readonly Html[] {
  return issue.labelIds.map((id) => {
    const label = db.labels.must(id);
    return html`<span class="label" title="${label.description ?? ''}" style="border-color:#${label.color}">${label.name}</span>`;
  });
}

export function authorOf({ db }: PageScope, userId: number): Html {
  const user = db.users.must(userId);
  return html`<b>${user.login}</b>`;
}

export function crumbsOf({ db }: PageScope, repository: Repository) {
  const name = fullName(db, repository);
  return [{ text: name, href: `/${name}` }];
}

/** One entry of a conversation. */
export function commentBox(
  scope: PageScope,
  facts: {
    readonly authorId: number;
    readonly at: number;
    readonly body: string;
    readonly edited: boolean;
    readonly id: string;
  },
): Html {
  const body = facts.body.trim() === '' ? html`<p class="soft">No description.</p>` : renderMarkdown(facts.body);
  return html`<div class="comment" id="${facts.id}"><div class="who">${authorOf(scope, facts.authorId)} <span class="soft">${isoTime(facts.at)}${facts.edited ? ' · edited' : ''}</span></div><div class="body">${body}</div></div>`;
}

/** Writes a comment as anybody: the point of a pocket-sized GitHub. */
export function commentForm({ db }: PageScope, path: string): Html {
  const people = db.users.all().filter((user) => user.type === 'User');
  const options = people.map((user) => html`<option>${user.login}</option>`);
  return html`<h2 id="latest">Comment</h2>
<form method="post" action="${path}/comments">
<textarea name="body" required aria-label="Comment" placeholder="Markdown, e.g. /auto"></textarea>
<div class="controls"><label>as <select name="as">${options}</select></label><button>Comment</button></div>
</form>`;
}
