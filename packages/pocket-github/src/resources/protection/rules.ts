import type { BranchProtection, BranchRules, Repository, RequiredCheck } from '../../world/model.js';
import type { Tables } from '../../world/tables.js';
import type { Actor, World } from '../../world/world.js';

/** What a protection can be set to. */
export interface ProtectionSettings {
  readonly enforceAdmins: boolean;
  readonly rules: BranchRules;
}

/** Protects a branch by name, or replaces how it is protected. A wildcard rule that also matches stays as it is. */
export async function protectBranch(
  world: World,
  actor: Actor,
  repository: Repository,
  branch: string,
  settings: ProtectionSettings,
): Promise<BranchProtection> {
  const known = world.tables.protections.by('repositoryId', repository.id).find(({ pattern }) => pattern === branch);
  if (known !== undefined) return changeProtection(world, actor, known, settings);
  const now = world.now();
  const protection = world.tables.protections.insert({
    id: world.newId(),
    repositoryId: repository.id,
    pattern: branch,
    ...settings,
    createdAt: now,
    updatedAt: now,
  });
  await world.record(
    actor,
    'branch protection created',
    { repositoryId: repository.id },
    { protectionId: protection.id },
  );
  return protection;
}

export async function changeProtection(
  world: World,
  actor: Actor,
  before: BranchProtection,
  settings: Partial<ProtectionSettings>,
): Promise<BranchProtection> {
  const next = world.tables.protections.update(before, { ...settings, updatedAt: world.now() });
  const data = { protectionId: before.id, before };
  await world.record(actor, 'branch protection edited', { repositoryId: before.repositoryId }, data);
  return next;
}

export async function unprotect(world: World, actor: Actor, protection: BranchProtection): Promise<void> {
  world.tables.protections.delete(protection.id);
  await world.record(actor, 'branch protection deleted', { repositoryId: protection.repositoryId }, { protection });
}

/** A required check named without an App: GitHub then expects it from the App that last provided it, if any did. */
export function requiredByName(db: Tables, repository: Repository, context: string): RequiredCheck {
  const last = db.checkRuns.by('name', context).findLast((run) => run.repositoryId === repository.id);
  return { context, appId: last?.appId ?? null };
}
