import { NO_RULES } from '../../src/resources/protection/effective-rules.js';
import type { BranchRules } from '../../src/world/model.js';
import type { TestPocket } from './test-pocket.js';

/** Protects `main` of `ada/sandbox`, administrators included unless told otherwise. */
export function protectMain(p: TestPocket, rules: Partial<BranchRules>, { enforceAdmins = true } = {}): void {
  const { world } = p.pocket;
  world.tables.protections.insert({
    id: world.newId(),
    repositoryId: p.repository.id,
    pattern: 'main',
    enforceAdmins,
    rules: { ...NO_RULES, ...rules },
    createdAt: world.now(),
    updatedAt: world.now(),
  });
}

/** A ruleset for the branches that match, which binds everybody. */
export function addRuleset(p: TestPocket, include: readonly string[], rules: Partial<BranchRules>): void {
  const { world } = p.pocket;
  world.tables.rulesets.insert({
    id: world.newId(),
    repositoryId: p.repository.id,
    name: 'a ruleset',
    target: 'branch',
    enforcement: 'active',
    include,
    exclude: [],
    bypassAppIds: [],
    bypassRoles: [],
    rules: { ...NO_RULES, ...rules },
    createdAt: world.now(),
    updatedAt: world.now(),
  });
}
