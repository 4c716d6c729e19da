import { z } from 'zod';
import { listReply } from '../../http/pagination.js';
import { created, noContent, ok, redirect } from '../../http/reply.js';
import { route } from '../../http/route.js';
import { allows } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { findIssue, fullName } from '../../world/lookup.js';
import { checkBody, checkTitle } from '../../world/text-limits.js';
import { allowsOn, MODERATE, orAuthor, READ, SEE, TAKE_PART, TRIAGE } from './access.js';
import { updateIssue } from './change.js';
import { issueJson, singleIssueJson } from './issue-json.js';
import { issueUrls } from './issue-urls.js';
import { listIssues, listQuery } from './listing/list-filter.js';
import { lockIssue, unlockIssue } from './lock.js';
import { createBody, triageValues, updateBody } from './rest-bodies.js';
import { openIssue } from './rules.js';
import { subjectIn, successorOf } from './subject.js';

const reading = [
  route('GET /repos/{owner}/{repo}/issues', {
    access: READ,
    query: listQuery,
    handle: ({ context, query }, repository) => {
      const path = `/repos/${fullName(context.db, repository)}/issues`;
      return listReply(listIssues(context.db, repository, query), query, context, path, (issue) =>
        issueJson(context, issue),
      );
    },
  }),
  route('GET /repos/{owner}/{repo}/issues/{issue_number}', {
    access: SEE,
    handle: (request, repository) => {
      const { context, params } = request;
      const number = Number(params['issue_number']);
      const isHere = findIssue(context.db, repository.id, number) !== undefined;
      const moved = isHere ? undefined : successorOf(context.db, repository, number);
      if (moved !== undefined) return redirect(301, issueUrls(context, moved).url);
      return ok(singleIssueJson(context, subjectIn(request, repository, READ)));
    },
  }),
];

const writing = [
  route('POST /repos/{owner}/{repo}/issues', {
    access: TAKE_PART,
    body: createBody,
    handle: async ({ context, body }, repository) => {
      const { world, viewer } = context;
      checkTitle(body.title);
      checkBody('Issue', body.body);
      // GitHub drops in silence what the author may not set.
      const mayTriage = allows(context.db, viewer, repository, TRIAGE);
      const { labels, assigneeIds, milestone, typeId } = mayTriage ? await triageValues(context, repository, body) : {};
      const issue = await openIssue(world, actorOf(viewer), repository, {
        title: body.title,
        body: body.body,
        labelIds: [...new Set(labels?.map(({ id }) => id))],
        assigneeIds: [...new Set(assigneeIds)],
        milestoneId: milestone?.id ?? null,
        typeId: typeId ?? null,
      });
      return created(singleIssueJson(context, issue));
    },
  }),
  route('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
    access: SEE,
    body: updateBody,
    handle: async (request, repository) => {
      const { context, body } = request;
      const issue = subjectIn(request, repository, (found) => orAuthor(context, found, TRIAGE));
      if (body.title != null) checkTitle(body.title);
      checkBody('Issue', body.body);
      const mayTriage = allowsOn(context, issue, TRIAGE);
      const updated = await updateIssue(context, issue, {
        ...(mayTriage ? await triageValues(context, repository, body, issue) : {}),
        title: body.title ?? undefined,
        body: body.body,
        state: body.state,
        reason: body.state_reason === 'reopened' ? null : body.state_reason,
      });
      return ok(singleIssueJson(context, updated));
    },
  }),
];

const locking = [
  route('PUT /repos/{owner}/{repo}/issues/{issue_number}/lock', {
    access: SEE,
    body: z.object({ lock_reason: z.enum(['off-topic', 'too heated', 'resolved', 'spam']).nullish() }),
    handle: async (request, repository) => {
      const { world, viewer } = request.context;
      const issue = subjectIn(request, repository, MODERATE);
      await lockIssue(world, actorOf(viewer), issue, request.body.lock_reason ?? null);
      return noContent();
    },
  }),
  route('DELETE /repos/{owner}/{repo}/issues/{issue_number}/lock', {
    access: SEE,
    handle: async (request, repository) => {
      const { world, viewer } = request.context;
      await unlockIssue(world, actorOf(viewer), subjectIn(request, repository, MODERATE));
      return noContent();
    },
  }),
];

export const issueRoutes = [...reading, ...writing, ...locking];
