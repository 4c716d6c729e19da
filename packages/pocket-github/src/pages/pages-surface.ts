import type { IncomingMessage } from 'node:http';
import { readBody } from '../http/exchange.js';
import { type Reply, redirect, text } from '../http/reply.js';
import type { Surface } from '../http/server.js';
import { atLeast, roleOf } from '../identity/access.js';
import { createComment } from '../resources/comments/rules.js';
import type { Urls } from '../urls.js';
import { GitHubError } from '../world/errors.js';
import { findIssue, findRepository, findUser, fullName } from '../world/lookup.js';
import type { Issue, Repository } from '../world/model.js';
import type { World } from '../world/world.js';
import { homePage } from './home-page.js';
import { html } from './html.js';
import { issuePage } from './issue-page.js';
import { layout } from './layout.js';
import type { PageScope } from './page-scope.js';
import { pullPage } from './pull-page.js';
import { repositoryPage } from './repository-page.js';

interface Target {
  readonly repository: Repository;
  readonly issue: Issue | null;
  /** The rest of the path is `/comments`. */
  readonly comments: boolean;
}

/** Plain pages at the addresses GitHub uses, for a person to look at and to comment as anybody. No scripts, no sign-in. */
export function pagesSurface({ world, urls }: { readonly world: World; readonly urls: Urls }): Surface {
  const scope: PageScope = { world, urls, db: world.tables };
  return {
    owns: () => true,
    serve: async (request, _response, url) => ({ kind: 'reply', reply: await answer(scope, request, url) }),
  };
}

async function answer(scope: PageScope, request: IncomingMessage, url: URL): Promise<Reply> {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (url.pathname === '/') return reads ? page(homePage(scope)) : page(notFoundPage('/'), 405);
  const target = targetOf(scope, url.pathname);
  if (target === null) return page(notFoundPage(url.pathname), 404);
  if (request.method === 'POST' && target.comments && target.issue !== null)
    return comment(scope, request, target.repository, target.issue);
  if (!reads || target.comments) return page(notFoundPage(url.pathname), 405);
  if (target.issue === null) return page(await repositoryPage(scope, target.repository));
  if (target.issue.pullId === null) return page(await issuePage(scope, target.repository, target.issue));
  return page(await pullPage(scope, target.repository, scope.db.pulls.must(target.issue.pullId)));
}

function targetOf({ db }: PageScope, path: string): Target | null {
  const match = /^\/([^/]+)\/([^/]+)(?:\/(?:issues|pull)\/(\d+)(\/comments)?)?\/?$/.exec(path);
  const repository = match === null ? undefined : findRepository(db, match[1] ?? '', match[2] ?? '');
  if (match === null || repository === undefined) return null;
  if (match[3] === undefined) return { repository, issue: null, comments: false };
  const issue = findIssue(db, repository.id, Number(match[3]));
  return issue === undefined ? null : { repository, issue, comments: match[4] !== undefined };
}

/** The comment box. The server has refused forms of other sites. */
async function comment(
  scope: PageScope,
  request: IncomingMessage,
  repository: Repository,
  issue: Issue,
): Promise<Reply> {
  const form = new URLSearchParams((await readBody(request)).toString('utf8'));
  const user = findUser(scope.db, form.get('as') ?? '');
  if (user?.type !== 'User') return text(422, 'Choose who is commenting.\n');
  const role = roleOf(scope.db, repository, user.id);
  if (role === 'none') return text(403, `${user.login} cannot see this repository.\n`);
  if (repository.archived) return text(403, 'This repository is archived: nothing can be written.\n');
  if (issue.locked && !atLeast(role, 'write')) return text(403, `This conversation is locked for ${user.login}.\n`);
  try {
    await createComment(
      scope.world,
      { userId: user.id, viaAppId: null },
      issue,
      (form.get('body') ?? '').replaceAll('\r\n', '\n'),
    );
  } catch (error) {
    if (error instanceof GitHubError) return text(error.status, `${error.message}\n`);
    throw error;
  }
  const kind = issue.pullId === null ? 'issues' : 'pull';
  return redirect(303, `/${fullName(scope.db, repository)}/${kind}/${issue.number}#latest`);
}

const page = (markup: string, status = 200): Reply => ({
  ...text(status, markup, 'text/html; charset=utf-8'),
  headers: {
    'content-type': 'text/html; charset=utf-8',
    // Comments are written by anybody: nothing in them may run or load.
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  },
});

const notFoundPage = (path: string): string =>
  layout('Not found', [], html`<h1>There is nothing at ${path}</h1><p><a href="/">All repositories</a></p>`);
