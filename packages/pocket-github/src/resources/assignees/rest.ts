import { z } from 'zod';
import { listReply, pageQuery } from '../../http/pagination.js';
import { created, noContent, ok } from '../../http/reply.js';
import { type RestRequest, route } from '../../http/route.js';
import { actorOf } from '../../identity/viewer.js';
import { notFound } from '../../world/errors.js';
import { findUser, fullName } from '../../world/lookup.js';
import { allowsOn, READ, SEE, TAKE_PART, TRIAGE } from '../issues/access.js';
import { issueJson } from '../issues/issue-json.js';
import { subjectIn } from '../issues/subject.js';
import { simpleUser } from '../users/user-json.js';
import { addAssignees, assignableUsers, canBeAssigned, removeAssignees } from './rules.js';

const body = z.object({ assignees: z.array(z.string()).optional() });

/** Ids of the people a body names; names nobody has are left out. */
function idsIn({ context, body: given }: RestRequest<unknown, z.infer<typeof body>>): number[] {
  return (given.assignees ?? []).flatMap((login) => findUser(context.world.tables, login)?.id ?? []);
}

export const assigneeRoutes = [
  route('GET /repos/{owner}/{repo}/assignees', {
    access: READ,
    query: z.object(pageQuery),
    handle: ({ context, query }, repository) => {
      const path = `/repos/${fullName(context.db, repository)}/assignees`;
      return listReply(assignableUsers(context.db, repository), query, context, path, (user) =>
        simpleUser(context, user),
      );
    },
  }),
  route('GET /repos/{owner}/{repo}/assignees/{assignee}', {
    access: READ,
    handle: ({ context, params }, repository) => {
      const user = findUser(context.db, params['assignee'] ?? '');
      if (!assignableUsers(context.db, repository).some(({ id }) => id === user?.id)) throw notFound();
      return noContent();
    },
  }),
  route('GET /repos/{owner}/{repo}/issues/{issue_number}/assignees/{assignee}', {
    access: SEE,
    handle: (request, repository) => {
      const issue = subjectIn(request, repository, READ);
      const user = findUser(request.context.db, request.params['assignee'] ?? '');
      if (user === undefined || !canBeAssigned(request.context.db, issue, user.id)) throw notFound();
      return noContent();
    },
  }),
  // Somebody who may not assign is answered as if it had worked; GitHub documents that the names are ignored.
  route('POST /repos/{owner}/{repo}/issues/{issue_number}/assignees', {
    access: SEE,
    body,
    handle: async (request, repository) => {
      const { context } = request;
      const issue = subjectIn(request, repository, TAKE_PART);
      if (!allowsOn(context, issue, TRIAGE)) return created(issueJson(context, issue));
      return created(
        issueJson(context, await addAssignees(context.world, actorOf(context.viewer), issue, idsIn(request))),
      );
    },
  }),
  route('DELETE /repos/{owner}/{repo}/issues/{issue_number}/assignees', {
    access: SEE,
    body,
    handle: async (request, repository) => {
      const { context } = request;
      const issue = subjectIn(request, repository, TAKE_PART);
      if (!allowsOn(context, issue, TRIAGE)) return ok(issueJson(context, issue));
      return ok(
        issueJson(context, await removeAssignees(context.world, actorOf(context.viewer), issue, idsIn(request))),
      );
    },
  }),
];
