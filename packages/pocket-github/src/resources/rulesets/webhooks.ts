import { type PayloadBuilders, type PayloadContext, webhook } from '../../webhooks/payload.js';
import type { Ruleset } from '../../world/model.js';
import { formatBypass } from './bypass-actors.js';
import { formatRules } from './format-rules.js';
import { conditionsJson, rulesetContentJson } from './ruleset-json.js';

const body = (context: PayloadContext, ruleset: Ruleset) => ({
  ...rulesetContentJson(context, ruleset),
  bypass_actors: formatBypass(ruleset),
});

function changesFrom(before: Ruleset, after: Ruleset) {
  const moved = JSON.stringify(conditionsJson(before)) !== JSON.stringify(conditionsJson(after));
  return {
    ...(before.name === after.name ? {} : { name: { from: before.name } }),
    ...(before.enforcement === after.enforcement ? {} : { enforcement: { from: before.enforcement } }),
    ...(moved ? { conditions: { updated: [{ condition: conditionsJson(after) }] } } : {}),
    rules: ruleChanges(before, after),
  };
}

function ruleChanges(before: Ruleset, after: Ruleset) {
  const [old, now] = [formatRules(before.rules), formatRules(after.rules)];
  const twin = (rule: (typeof now)[number]) => old.find(({ type }) => type === rule.type);
  return {
    added: now.filter((rule) => twin(rule) === undefined),
    deleted: old.filter((rule) => !now.some(({ type }) => type === rule.type)),
    updated: now
      .filter((rule) => twin(rule) !== undefined && JSON.stringify(twin(rule)) !== JSON.stringify(rule))
      .map((rule) => ({ rule })),
  };
}

export const rulesetPayloads: PayloadBuilders = {
  'ruleset created': (context, { data }) =>
    webhook('repository_ruleset', 'webhook-repository-ruleset-created', {
      action: 'created',
      repository_ruleset: body(context, context.db.rulesets.must(data.rulesetId)),
    }),
  'ruleset edited': (context, { data }) => {
    const ruleset = context.db.rulesets.must(data.rulesetId);
    return webhook('repository_ruleset', 'webhook-repository-ruleset-edited', {
      action: 'edited',
      repository_ruleset: body(context, ruleset),
      changes: changesFrom(data.before, ruleset),
    });
  },
  'ruleset deleted': (context, { data }) =>
    webhook('repository_ruleset', 'webhook-repository-ruleset-deleted', {
      action: 'deleted',
      repository_ruleset: body(context, data.ruleset),
    }),
};
