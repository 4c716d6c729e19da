import type { RestRequest } from '../../http/route.js';
import type { Need } from '../../identity/access.js';
import { GitHubError, notFound, UnmodelledError } from '../../world/errors.js';
import { findIssue } from '../../world/lookup.js';
import type { Issue, Repository } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import { demandOn } from './access.js';

/** The issue or pull request a path names by number, once the caller may do what `need` says of it. */
export function subjectIn(
  request: RestRequest<unknown, unknown>,
  repository: Repository,
  need: Need | ((issue: Issue) => Need),
): Issue {
  const { context, params } = request;
  const number = Number(params['issue_number']);
  const issue = findIssue(context.db, repository.id, number);
  if (issue !== undefined) {
    demandOn(context, issue, typeof need === 'function' ? need(issue) : need);
    return issue;
  }
  if (successorOf(context.db, repository, number) !== undefined) {
    throw new UnmodelledError('requests for a transferred issue other than GET of the issue itself');
  }
  throw wasDeleted(context.db, repository, number) ? new GitHubError(410, 'This issue was deleted') : notFound();
}

/** Where an issue went that once had this number; follows it through several transfers. */
export function successorOf(db: Tables, repository: Repository, number: number): Issue | undefined {
  for (const event of db.events.by('repositoryId', repository.id)) {
    if (event.name !== 'transferred' || event.data.number !== number) continue;
    const { newIssueId, toRepositoryId } = event.data;
    const moved = db.events.by('subjectId', newIssueId).find(({ name }) => name === 'transferred');
    if (moved?.name !== 'transferred') return db.issues.get(newIssueId);
    return successorOf(db, db.repositories.must(toRepositoryId), moved.data.number);
  }
  return undefined;
}

function wasDeleted(db: Tables, repository: Repository, number: number): boolean {
  return db.events
    .by('repositoryId', repository.id)
    .some((event) => event.name === 'deleted' && event.data.number === number);
}
