import type { components } from '@octokit/openapi-types';
import type { Scope } from '../../http/context.js';
import { roleOf } from '../../identity/access.js';
import type { Repository, Role, User } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { shortRepositoryJson } from '../repositories/short-repository-json.js';
import { permissionsOf } from '../repositories/viewer-permissions.js';
import { simpleUser, simpleUserById } from '../users/user-json.js';

type Schemas = components['schemas'];

export function collaboratorJson(scope: Scope, repository: Repository, user: User) {
  const role = roleOf(scope.db, repository, user.id);
  return {
    ...simpleUser(scope, user),
    permissions: permissionsOf(role),
    role_name: role,
  } satisfies Schemas['collaborator'];
}

/** The role in the words from before there were five: maintain is write, triage is read. */
export function legacyPermission(role: Role): 'admin' | 'write' | 'read' | 'none' {
  if (role === 'maintain') return 'write';
  return role === 'triage' ? 'read' : role;
}

interface Invitation {
  readonly id: number;
  readonly repository: Repository;
  readonly inviteeId: number;
  readonly inviterId: number;
  readonly role: Exclude<Role, 'none'>;
  readonly at: number;
}

/** The invitation GitHub answers with. Here it is accepted already when the answer arrives. */
export function invitationJson(scope: Scope, { id, repository, inviteeId, inviterId, role, at }: Invitation) {
  const shown = shortRepositoryJson(scope, repository);
  return {
    id,
    node_id: formatNodeId('collaborators', id),
    repository: shown,
    invitee: simpleUserById(scope, inviteeId),
    inviter: simpleUserById(scope, inviterId),
    permissions: role,
    created_at: isoTime(at),
    expired: false,
    url: `${scope.urls.api}/user/repository_invitations/${id}`,
    html_url: `${shown.html_url}/invitations`,
  } satisfies Schemas['repository-invitation'];
}
