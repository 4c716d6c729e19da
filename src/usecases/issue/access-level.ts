import type { RepoRef } from '../../domain/issue/ids.js';
import type { AccessLevel } from '../../domain/issue/access-level.js';
import type { Actor } from '../../domain/state/snapshot.js';
import type { Role } from '../../ports/github.js';
import type { Observer } from '../engine.js';

const ACCESS_LEVELS: Readonly<Record<Role, AccessLevel>> = {
  admin: 'write',
  maintain: 'write',
  write: 'write',
  triage: 'triage',
  read: 'none',
  none: 'none',
};

/** Asks GitHub each time, by id, because logins can change owners. Bots have no access, whatever their role. */
export async function accessLevelOf(
  engine: Pick<Observer, 'github'>,
  repo: RepoRef,
  actor: Actor,
): Promise<AccessLevel> {
  if (actor.kind !== 'human' || actor.login.endsWith('[bot]')) return 'none';
  return ACCESS_LEVELS[await engine.github.roleOf(repo, actor)];
}
