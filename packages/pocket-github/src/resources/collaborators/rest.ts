import { z } from 'zod';
import { listReply, pageQuery } from '../../http/pagination.js';
import { created, noContent, ok } from '../../http/reply.js';
import { type RestRequest, route } from '../../http/route.js';
import { demand, type Need, roleOf } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { notFound } from '../../world/errors.js';
import { findUser, fullName } from '../../world/lookup.js';
import type { Repository, Role, User } from '../../world/model.js';
import { demandPush, usersWithRole } from './access.js';
import { collaboratorJson, invitationJson, legacyPermission } from './collaborator-json.js';
import { collaboratorRow, removeCollaborator, setCollaborator } from './rules.js';

const READ: Need = { app: 'metadata:read', role: 'read' };
const ADMINISTER: Need = { app: 'administration:write', role: 'admin' };

/** REST's words for roles, old and new. */
const ROLES: Readonly<Record<string, Exclude<Role, 'none'>>> = {
  pull: 'read',
  push: 'write',
  read: 'read',
  triage: 'triage',
  write: 'write',
  maintain: 'maintain',
  admin: 'admin',
};

/** The person named in the path. Bots are users everywhere but here. */
function personIn({ context, params }: RestRequest<unknown, unknown>): User {
  const login = params['username'] ?? '';
  const user = findUser(context.db, login);
  if (user?.type !== 'User') throw notFound(`${login} is not a user`);
  return user;
}

const looking = [
  route('GET /repos/{owner}/{repo}/collaborators', {
    access: READ,
    query: z.object({ ...pageQuery, affiliation: z.enum(['direct', 'all']).optional() }),
    handle: ({ context, query }, repository) => {
      demandPush(context, repository, 'view repository collaborators');
      const path = `/repos/${fullName(context.db, repository)}/collaborators`;
      return listReply(usersWithRole(context.db, repository), query, context, path, (user) =>
        collaboratorJson(context, repository, user),
      );
    },
  }),
  route('GET /repos/{owner}/{repo}/collaborators/{username}', {
    access: READ,
    handle: (request, repository) => {
      demandPush(request.context, repository, 'view repository collaborators');
      const person = personIn(request);
      if (!usersWithRole(request.context.db, repository).some((user) => user.id === person.id)) throw notFound();
      return noContent();
    },
  }),
  route('GET /repos/{owner}/{repo}/collaborators/{username}/permission', {
    access: READ,
    handle: (request, repository) => {
      const { context } = request;
      demandPush(context, repository, 'view collaborator permission');
      const person = personIn(request);
      const role = roleOf(context.db, repository, person.id);
      return ok({
        permission: legacyPermission(role),
        role_name: role,
        user: collaboratorJson(context, repository, person),
      });
    },
  }),
];

/** People may leave by themselves; everyone else takes an administrator. */
function demandRemoval(request: RestRequest<unknown, unknown>, repository: Repository, person: User): void {
  const { db, viewer } = request.context;
  if (viewer.kind === 'personal' && viewer.user.id === person.id) return;
  demand(db, viewer, repository, ADMINISTER);
}

const changing = [
  route('PUT /repos/{owner}/{repo}/collaborators/{username}', {
    access: ADMINISTER,
    body: z.object({ permission: z.enum(Object.keys(ROLES)).optional() }),
    handle: async (request, repository) => {
      const { context, body } = request;
      const actor = actorOf(context.viewer);
      const person = personIn(request);
      const role = ROLES[body.permission ?? 'push'] ?? 'write';
      if (!(await setCollaborator(context.world, actor, repository, person, role))) return noContent();
      const id = collaboratorRow(context.world.tables, repository, person.id)?.id ?? 0;
      const invitation = {
        id,
        repository,
        inviteeId: person.id,
        inviterId: actor.userId,
        role,
        at: context.world.now(),
      };
      return created(invitationJson(context, invitation));
    },
  }),
  route('DELETE /repos/{owner}/{repo}/collaborators/{username}', {
    access: READ,
    handle: async (request, repository) => {
      const { world, viewer } = request.context;
      const person = personIn(request);
      demandRemoval(request, repository, person);
      await removeCollaborator(world, actorOf(viewer), repository, person);
      return noContent();
    },
  }),
];

export const collaboratorRoutes = [...looking, ...changing];
