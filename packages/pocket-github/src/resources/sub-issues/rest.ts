import { z } from 'zod';
import type { Context } from '../../http/context.js';
import { listReply, pageQuery } from '../../http/pagination.js';
import { created, ok } from '../../http/reply.js';
import { type RestRequest, route } from '../../http/route.js';
import { actorOf } from '../../identity/viewer.js';
import { notFound, unprocessable } from '../../world/errors.js';
import { fullName } from '../../world/lookup.js';
import type { Issue } from '../../world/model.js';
import { READ, SEE, TRIAGE } from '../issues/access.js';
import { issueJson } from '../issues/issue-json.js';
import { subjectIn } from '../issues/subject.js';
import { addSubIssue, type Place, removeSubIssue, reprioritizeSubIssue } from './rules.js';
import { subIssuesOf } from './summary.js';
import { issueById, visibleIssues } from './visible-issues.js';

/** The issue after a change. */
const shown = (context: Context, issue: Issue) => issueJson(context, context.world.tables.issues.must(issue.id));

function placeIn(
  request: RestRequest<unknown, { readonly after_id?: number | undefined; readonly before_id?: number | undefined }>,
): Place {
  const { after_id: after, before_id: before } = request.body;
  if (after !== undefined && before === undefined) return { after: issueById(request.context, after) };
  if (before !== undefined && after === undefined) return { before: issueById(request.context, before) };
  throw unprocessable('Either `after_id` or `before_id` must be specified, and not both.');
}

export const subIssueRoutes = [
  route('GET /repos/{owner}/{repo}/issues/{issue_number}/sub_issues', {
    access: SEE,
    query: z.object(pageQuery),
    handle: (request, repository) => {
      const { context, query } = request;
      const issue = subjectIn(request, repository, READ);
      const path = `/repos/${fullName(context.db, repository)}/issues/${issue.number}/sub_issues`;
      const children = visibleIssues(context, subIssuesOf(context.db, issue));
      return listReply(children, query, context, path, (child) => issueJson(context, child));
    },
  }),
  route('POST /repos/{owner}/{repo}/issues/{issue_number}/sub_issues', {
    access: SEE,
    body: z.object({ sub_issue_id: z.number().int(), replace_parent: z.boolean().optional() }),
    handle: async (request, repository) => {
      const { context, body } = request;
      const parent = subjectIn(request, repository, TRIAGE);
      const child = issueById(context, body.sub_issue_id);
      await addSubIssue(context.world, actorOf(context.viewer), parent, child, {
        replaceParent: body.replace_parent ?? false,
      });
      return created(shown(context, parent));
    },
  }),
  route('DELETE /repos/{owner}/{repo}/issues/{issue_number}/sub_issue', {
    access: SEE,
    body: z.object({ sub_issue_id: z.number().int() }),
    handle: async (request, repository) => {
      const { context, body } = request;
      const parent = subjectIn(request, repository, TRIAGE);
      await removeSubIssue(context.world, actorOf(context.viewer), parent, issueById(context, body.sub_issue_id));
      return ok(shown(context, parent));
    },
  }),
  route('PATCH /repos/{owner}/{repo}/issues/{issue_number}/sub_issues/priority', {
    access: SEE,
    body: z.object({
      sub_issue_id: z.number().int(),
      after_id: z.number().int().optional(),
      before_id: z.number().int().optional(),
    }),
    handle: (request, repository) => {
      const { context, body } = request;
      const parent = subjectIn(request, repository, TRIAGE);
      reprioritizeSubIssue(context.world, parent, issueById(context, body.sub_issue_id), placeIn(request));
      return ok(shown(context, parent));
    },
  }),
  route('GET /repos/{owner}/{repo}/issues/{issue_number}/parent', {
    access: SEE,
    handle: (request, repository) => {
      const { context } = request;
      const issue = subjectIn(request, repository, READ);
      if (issue.parentId === null) throw notFound();
      return ok(issueJson(context, issueById(context, issue.parentId)));
    },
  }),
];
