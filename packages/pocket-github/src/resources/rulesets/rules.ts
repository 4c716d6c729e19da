import { validationFailed } from '../../world/errors.js';
import type { Repository, Ruleset } from '../../world/model.js';
import type { Actor, World } from '../../world/world.js';

/** Everything of a ruleset that people decide. */
export type RulesetSettings = Omit<Ruleset, 'id' | 'repositoryId' | 'createdAt' | 'updatedAt'>;

export async function createRuleset(
  world: World,
  actor: Actor,
  repository: Repository,
  settings: RulesetSettings,
): Promise<Ruleset> {
  checkName(world, repository.id, settings.name);
  const now = world.now();
  const row = { id: world.newId(), repositoryId: repository.id, ...settings, createdAt: now, updatedAt: now };
  const ruleset = world.tables.rulesets.insert(row);
  await world.record(actor, 'ruleset created', { repositoryId: repository.id }, { rulesetId: ruleset.id });
  return ruleset;
}

export async function changeRuleset(
  world: World,
  actor: Actor,
  before: Ruleset,
  settings: Partial<RulesetSettings>,
): Promise<Ruleset> {
  if (settings.name !== undefined) checkName(world, before.repositoryId, settings.name, before.id);
  const ruleset = world.tables.rulesets.update(before, { ...settings, updatedAt: world.now() });
  await world.record(actor, 'ruleset edited', { repositoryId: before.repositoryId }, { rulesetId: before.id, before });
  return ruleset;
}

export async function deleteRuleset(world: World, actor: Actor, ruleset: Ruleset): Promise<void> {
  world.tables.rulesets.delete(ruleset.id);
  await world.record(actor, 'ruleset deleted', { repositoryId: ruleset.repositoryId }, { ruleset });
}

function checkName(world: World, repositoryId: number, name: string, exceptId?: number): void {
  const taken = world.tables.rulesets
    .by('repositoryId', repositoryId)
    .some((other) => other.name === name && other.id !== exceptId);
  if (taken) throw validationFailed('Name must be unique');
}
