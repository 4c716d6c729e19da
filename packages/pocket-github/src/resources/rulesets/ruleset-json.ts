import type { components } from '@octokit/openapi-types';
import type { Context, Scope } from '../../http/context.js';
import { allows } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import { fullName } from '../../world/lookup.js';
import type { Ruleset } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { isBypassedBy } from '../protection/effective-rules.js';
import { formatBypass } from './bypass-actors.js';
import { formatRules } from './format-rules.js';

/** A ruleset as lists show it. */
export function rulesetSummaryJson({ db, urls }: Scope, ruleset: Ruleset) {
  const name = fullName(db, db.repositories.must(ruleset.repositoryId));
  return {
    id: ruleset.id,
    name: ruleset.name,
    target: ruleset.target,
    source_type: 'Repository',
    source: name,
    enforcement: ruleset.enforcement,
    node_id: formatNodeId('rulesets', ruleset.id),
    _links: {
      self: { href: `${urls.api}/repos/${name}/rulesets/${ruleset.id}` },
      html: { href: `${urls.html}/${name}/rules/${ruleset.id}` },
    },
    created_at: isoTime(ruleset.createdAt),
    updated_at: isoTime(ruleset.updatedAt),
  } satisfies components['schemas']['repository-ruleset'];
}

/** What a ruleset says, whoever looks at it. */
export function rulesetContentJson(scope: Scope, ruleset: Ruleset) {
  return {
    ...rulesetSummaryJson(scope, ruleset),
    conditions: conditionsJson(ruleset),
    rules: formatRules(ruleset.rules),
  } satisfies components['schemas']['repository-ruleset'];
}

export const conditionsJson = ({ include, exclude }: Ruleset) => ({
  ref_name: { include: [...include], exclude: [...exclude] },
});

/** A ruleset for one viewer. Who may bypass it is shown only to those who may change it. */
export function rulesetJson(context: Context, ruleset: Ruleset) {
  const { db, viewer } = context;
  const repository = db.repositories.must(ruleset.repositoryId);
  const mayChange = allows(db, viewer, repository, { app: 'administration:write', role: 'admin' });
  const acts = viewer.kind === 'installation' || viewer.kind === 'personal';
  const bypasses = acts && isBypassedBy(db, repository, ruleset, actorOf(viewer));
  return {
    ...rulesetContentJson(context, ruleset),
    ...(mayChange ? { bypass_actors: formatBypass(ruleset) } : {}),
    current_user_can_bypass: bypasses ? 'always' : 'never',
  } satisfies components['schemas']['repository-ruleset'];
}
