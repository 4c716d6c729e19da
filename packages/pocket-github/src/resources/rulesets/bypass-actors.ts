import { z } from 'zod';
import { UnmodelledError } from '../../world/errors.js';
import type { Role, Ruleset } from '../../world/model.js';

/** GitHub's ids of the repository roles that may bypass. */
const ROLE_IDS = { maintain: 2, write: 4, admin: 5 } as const satisfies Partial<Record<Role, number>>;
const ROLES = Object.keys(ROLE_IDS) as (keyof typeof ROLE_IDS)[];

export const bypassActor = z.strictObject({
  actor_id: z.number().int().nullish(),
  actor_type: z.enum(['Integration', 'OrganizationAdmin', 'RepositoryRole', 'Team', 'DeployKey', 'User']),
  bypass_mode: z.enum(['always', 'pull_request', 'exempt']).optional(),
});

type Bypass = Pick<Ruleset, 'bypassAppIds' | 'bypassRoles'>;

/** Apps and roles may bypass, always; other actors and modes are not modelled. */
export function parseBypass(actors: readonly z.infer<typeof bypassActor>[]): Bypass {
  const bypassAppIds: number[] = [];
  const bypassRoles: Role[] = [];
  for (const { actor_id, actor_type, bypass_mode } of actors) {
    if (bypass_mode !== undefined && bypass_mode !== 'always')
      throw new UnmodelledError(`the bypass mode "${bypass_mode}"`);
    const role = ROLES.find((name) => ROLE_IDS[name] === actor_id);
    if (actor_type === 'Integration' && typeof actor_id === 'number') bypassAppIds.push(actor_id);
    else if (actor_type === 'RepositoryRole' && role !== undefined) bypassRoles.push(role);
    else throw new UnmodelledError(`the bypass actor ${actor_type} ${actor_id ?? ''}`.trim());
  }
  return { bypassAppIds, bypassRoles };
}

export function formatBypass({ bypassAppIds, bypassRoles }: Bypass) {
  const roles = ROLES.filter((role) => bypassRoles.includes(role));
  return [
    ...bypassAppIds.map((id) => ({ actor_id: id, actor_type: 'Integration' as const, bypass_mode: 'always' as const })),
    ...roles.map((role) => ({
      actor_id: ROLE_IDS[role],
      actor_type: 'RepositoryRole' as const,
      bypass_mode: 'always' as const,
    })),
  ];
}
