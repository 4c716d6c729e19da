import { z } from 'zod';
import { listReply, pageQuery } from '../../http/pagination.js';
import { json, noContent } from '../../http/reply.js';
import { route } from '../../http/route.js';
import type { Need } from '../../identity/access.js';
import { actorOf, type Viewer } from '../../identity/viewer.js';
import { forbidden, UnmodelledError } from '../../world/errors.js';
import { fullName } from '../../world/lookup.js';
import { minimalRepositoryJson, repositoryJson } from '../repositories/repository-json.js';
import { viewerPermissions } from '../repositories/viewer-permissions.js';
import { deleteFork, forkRepository } from './rules.js';

const READ: Need = { app: 'metadata:read', role: 'read' };
const ADMINISTER: Need = { app: 'administration:write', role: 'admin', evenArchived: true };

/** Of a personal token GitHub wants a scope of its own for this. */
function demandDeletion(viewer: Viewer): void {
  if (viewer.kind === 'personal' && !viewer.token.scopes.includes('delete_repo'))
    throw forbidden('Must have admin rights to Repository.');
}

export const forkRoutes = [
  route('GET /repos/{owner}/{repo}/forks', {
    access: READ,
    query: z.object(pageQuery),
    handle: ({ context, query }, repository) =>
      listReply(
        context.db.repositories.by('parentId', repository.id).toReversed(),
        query,
        context,
        `/repos/${fullName(context.db, repository)}/forks`,
        (fork) => ({ ...minimalRepositoryJson(context, fork), ...viewerPermissions(context, fork) }),
      ),
  }),
  route('POST /repos/{owner}/{repo}/forks', {
    access: READ,
    body: z.object({ name: z.string().optional(), default_branch_only: z.boolean().optional() }),
    handle: async ({ context, body }, repository) => {
      const { viewer, world } = context;
      actorOf(viewer);
      if (viewer.kind !== 'personal') throw new UnmodelledError('forks made by an App');
      const { name, default_branch_only: defaultBranchOnly } = body;
      const fork = await forkRepository(world, repository, { owner: viewer.user, name, defaultBranchOnly });
      return json(202, { ...repositoryJson(context, fork), ...viewerPermissions(context, fork) });
    },
  }),
  route('DELETE /repos/{owner}/{repo}', {
    access: ADMINISTER,
    handle: async ({ context }, repository) => {
      demandDeletion(context.viewer);
      await deleteFork(context.world, actorOf(context.viewer), repository);
      return noContent();
    },
  }),
];
