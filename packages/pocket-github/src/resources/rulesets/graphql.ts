import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { repositoryOf } from '../../graphql/nodes.js';
import { type ResolverMap, tagged } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import type { BranchRules, MergeQueueRule, Ref, Repository, RequiredCheck, Ruleset } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { isoTime } from '../../world/time.js';
import { rulesetsOf as rulesetsOfRef } from '../protection/effective-rules.js';
import { formatRules, MERGE_METHODS, QUEUE_AS_MODELLED } from './format-rules.js';

interface RulesetsArgs extends ConnectionArgs {
  readonly targets?: readonly string[] | null;
}

/** One rule of a ruleset. */
interface RuleNode {
  readonly ruleset: Ruleset;
  readonly type: string;
}

function rulesetsOf(repository: Repository, args: RulesetsArgs, { db }: Context) {
  const wanted = db.rulesets
    .by('repositoryId', repository.id)
    .filter(({ target }) => args.targets?.includes(target.toUpperCase()) ?? true);
  return connection(wanted, args);
}

const ruleNodes = (ruleset: Ruleset): RuleNode[] =>
  formatRules(ruleset.rules).map((rule) => ({ ruleset, type: rule.type.toUpperCase() }));

function rulesOf(ruleset: Ruleset, { type, ...args }: ConnectionArgs & { type?: string | null }) {
  return connection(
    ruleNodes(ruleset).filter((node) => (type ?? node.type) === node.type),
    args,
  );
}

/** What all active rulesets together ask of a ref, newest ruleset first. Anybody who sees the ref may know. */
function rulesOfRef(ref: Ref, args: ConnectionArgs, context: Context) {
  const rulesets = rulesetsOfRef(context.db, repositoryOf(context, ref), ref.name);
  return connection(rulesets.toSorted((a, b) => b.updatedAt - a.updatedAt || b.id - a.id).flatMap(ruleNodes), args);
}

function parametersOf({ ruleset: { rules }, type }: RuleNode) {
  if (type === 'PULL_REQUEST') return tagged('PullRequestParameters', rules);
  if (type === 'REQUIRED_STATUS_CHECKS') return tagged('RequiredStatusChecksParameters', rules);
  if (type === 'MERGE_QUEUE' && rules.mergeQueue !== null) return tagged('MergeQueueParameters', rules.mergeQueue);
  return type === 'UPDATE' ? tagged('UpdateParameters', {}) : null;
}

const parameterTypes = {
  PullRequestParameters: {
    allowedMergeMethods: () => MERGE_METHODS,
    dismissStaleReviewsOnPush: (rules: BranchRules) => rules.dismissStaleReviews,
    requireCodeOwnerReview: () => false,
    requireLastPushApproval: () => false,
    requiredApprovingReviewCount: (rules: BranchRules) => rules.requiredApprovals,
    requiredReviewThreadResolution: (rules: BranchRules) => rules.requireThreadResolution,
  },
  RequiredStatusChecksParameters: {
    doNotEnforceOnCreate: () => false,
    requiredStatusChecks: (rules: BranchRules) => rules.requiredChecks,
    strictRequiredStatusChecksPolicy: (rules: BranchRules) => rules.strictChecks,
  },
  StatusCheckConfiguration: {
    context: ({ context }: RequiredCheck) => context,
    integrationId: ({ appId }: RequiredCheck) => appId,
  },
  MergeQueueParameters: {
    checkResponseTimeoutMinutes: ({ checkTimeoutMs }: MergeQueueRule) => Math.round(checkTimeoutMs / 60_000),
    groupingStrategy: () => QUEUE_AS_MODELLED.grouping_strategy,
    maxEntriesToBuild: () => QUEUE_AS_MODELLED.max_entries_to_build,
    maxEntriesToMerge: ({ maxEntriesToMerge }: MergeQueueRule) => maxEntriesToMerge,
    mergeMethod: ({ method }: MergeQueueRule) => method.toUpperCase(),
    minEntriesToMerge: () => QUEUE_AS_MODELLED.min_entries_to_merge,
    minEntriesToMergeWaitMinutes: () => QUEUE_AS_MODELLED.min_entries_to_merge_wait_minutes,
  },
  UpdateParameters: { updateAllowsFetchAndMerge: () => false },
};

export const rulesetResolvers: ResolverMap = {
  Repository: {
    rulesets: rulesetsOf,
    ruleset: ({ id }: Repository, { databaseId }: { databaseId: number }, { db }: Context) => {
      const ruleset = db.rulesets.get(databaseId);
      return ruleset?.repositoryId === id ? ruleset : null;
    },
  },
  Ref: { rules: rulesOfRef },
  RepositoryRuleset: {
    id: ({ id }: Ruleset) => formatNodeId('rulesets', id),
    databaseId: ({ id }: Ruleset) => id,
    name: ({ name }: Ruleset) => name,
    target: ({ target }: Ruleset) => target.toUpperCase(),
    enforcement: ({ enforcement }: Ruleset) => enforcement.toUpperCase(),
    createdAt: ({ createdAt }: Ruleset) => isoTime(createdAt),
    updatedAt: ({ updatedAt }: Ruleset) => isoTime(updatedAt),
    source: (ruleset: Ruleset, _: unknown, context: Context) => tagged('Repository', repositoryOf(context, ruleset)),
    conditions: (ruleset: Ruleset) => ruleset,
    rules: rulesOf,
  },
  RepositoryRuleConditions: {
    refName: (ruleset: Ruleset) => ruleset,
    repositoryId: () => null,
    repositoryName: () => null,
    repositoryProperty: () => null,
  },
  RefNameConditionTarget: {
    include: ({ include }: Ruleset) => include,
    exclude: ({ exclude }: Ruleset) => exclude,
  },
  RepositoryRule: {
    type: ({ type }: RuleNode) => type,
    parameters: parametersOf,
    repositoryRuleset: ({ ruleset }: RuleNode) => ruleset,
  },
  ...parameterTypes,
};
