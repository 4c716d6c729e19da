import { z } from 'zod';
import { listReply, pageQuery, paginate } from '../../http/pagination.js';
import { created, ok } from '../../http/reply.js';
import { route } from '../../http/route.js';
import type { Need } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { fullName } from '../../world/lookup.js';
import { commitNamed } from '../checks/commit-reference.js';
import { latestStatuses } from '../checks/required.js';
import { createStatus } from './rules.js';
import { combinedStatusJson, statusJson } from './status-json.js';

const READ: Need = { app: 'statuses:read', role: 'read' };
const WRITE: Need = { app: 'statuses:write', role: 'write' };

export const statusRoutes = [
  route('POST /repos/{owner}/{repo}/statuses/{sha}', {
    access: WRITE,
    body: z.object({
      state: z.enum(['error', 'failure', 'pending', 'success']),
      target_url: z.string().nullish(),
      description: z.string().nullish(),
      context: z.string().optional(),
    }),
    handle: async ({ context, params, body }, repository) => {
      const { state, target_url: targetUrl, description, context: name } = body;
      const given = { state, targetUrl, description, context: name };
      const status = await createStatus(context.world, actorOf(context.viewer), repository, params['sha'] ?? '', given);
      return created(statusJson(context, status));
    },
  }),
  route('GET /repos/{owner}/{repo}/commits/{ref}/status', {
    access: READ,
    query: z.object(pageQuery),
    handle: async ({ context, params, query }, repository) => {
      const oid = await commitNamed(context, repository, params['ref'] ?? '');
      const path = `/repos/${fullName(context.db, repository)}/commits/${oid}/status`;
      const statuses = latestStatuses(context.db, repository, oid);
      const { rows, headers } = paginate(statuses, query, context, path);
      return { ...ok(combinedStatusJson(context, repository, oid, statuses, rows)), headers };
    },
  }),
  route('GET /repos/{owner}/{repo}/commits/{ref}/statuses', {
    access: READ,
    query: z.object(pageQuery),
    handle: async ({ context, params, query }, repository) => {
      const { db } = context;
      const oid = await commitNamed(context, repository, params['ref'] ?? '');
      const newestFirst = db.statuses
        .by('oid', oid)
        .filter((status) => status.repositoryId === repository.id)
        .toReversed();
      const path = `/repos/${fullName(db, repository)}/commits/${oid}/statuses`;
      return listReply(newestFirst, query, context, path, (status) => statusJson(context, status));
    },
  }),
];
