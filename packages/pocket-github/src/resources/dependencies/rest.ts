import { z } from 'zod';
import type { Context } from '../../http/context.js';
import { listReply, pageQuery, type PageQuery } from '../../http/pagination.js';
import { created, ok } from '../../http/reply.js';
import { type RestRequest, route } from '../../http/route.js';
import { actorOf } from '../../identity/viewer.js';
import { fullName } from '../../world/lookup.js';
import type { Issue, Repository } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import { READ, SEE, TRIAGE } from '../issues/access.js';
import { issueJson } from '../issues/issue-json.js';
import { subjectIn } from '../issues/subject.js';
import { issueById, visibleIssues } from '../sub-issues/visible-issues.js';
import { addBlockedBy, removeBlockedBy } from './rules.js';
import { blockedIssues, blockersOf, type Dependency } from './summary.js';

const shown = (context: Context, issue: Issue) => issueJson(context, context.world.tables.issues.must(issue.id));

/** A page of one direction. A pull request has no dependencies; GitHub answers an empty list and no error. */
function listDependencies(
  request: RestRequest<PageQuery, unknown>,
  repository: Repository,
  direction: 'blocked_by' | 'blocking',
  of: (db: Tables, issue: Issue) => readonly Dependency[],
) {
  const { context, query } = request;
  const issue = subjectIn(request, repository, READ);
  const path = `/repos/${fullName(context.db, repository)}/issues/${issue.number}/dependencies/${direction}`;
  const issues = of(context.db, issue).map((dependency) => dependency.issue);
  return listReply(visibleIssues(context, issues), query, context, path, (row) => issueJson(context, row));
}

export const dependencyRoutes = [
  route('GET /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by', {
    access: SEE,
    query: z.object(pageQuery),
    handle: (request, repository) => listDependencies(request, repository, 'blocked_by', blockersOf),
  }),
  route('GET /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocking', {
    access: SEE,
    query: z.object(pageQuery),
    handle: (request, repository) => listDependencies(request, repository, 'blocking', blockedIssues),
  }),
  route('POST /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by', {
    access: SEE,
    body: z.object({ issue_id: z.number().int() }),
    handle: async (request, repository) => {
      const { context, body } = request;
      const blocked = subjectIn(request, repository, TRIAGE);
      await addBlockedBy(context.world, actorOf(context.viewer), blocked, issueById(context, body.issue_id));
      return created(shown(context, blocked));
    },
  }),
  route('DELETE /repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by/{issue_id}', {
    access: SEE,
    handle: async (request, repository) => {
      const { context, params } = request;
      const blocked = subjectIn(request, repository, TRIAGE);
      const blocking = issueById(context, Number(params['issue_id']));
      await removeBlockedBy(context.world, actorOf(context.viewer), blocked, blocking);
      return ok(shown(context, blocked));
    },
  }),
];
