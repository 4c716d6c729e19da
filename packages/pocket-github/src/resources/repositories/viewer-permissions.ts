import type { Context } from '../../http/context.js';
import { allows, atLeast, roleOf } from '../../identity/access.js';
import type { Repository, Role } from '../../world/model.js';

/** A role as the five yes-or-noes GitHub's REST API spells it. */
export function permissionsOf(role: Role) {
  return {
    admin: role === 'admin',
    maintain: atLeast(role, 'maintain'),
    push: atLeast(role, 'write'),
    triage: atLeast(role, 'triage'),
    pull: atLeast(role, 'read'),
  };
}

/** The viewer's permissions in a repository; none for anonymous viewers. An installation has no role and is shown as a reader. */
export function viewerPermissions({ db, viewer }: Context, repository: Repository) {
  if (viewer.kind === 'anonymous' || viewer.kind === 'app') return {};
  const role = viewer.kind === 'personal' ? roleOf(db, repository, viewer.user.id) : 'read';
  return { permissions: permissionsOf(role) };
}

/** Merge settings are for those who may write contents. */
export function maySeeMergeSettings({ db, viewer }: Context, repository: Repository): boolean {
  return allows(db, viewer, repository, { app: 'contents:write', role: 'write' });
}
