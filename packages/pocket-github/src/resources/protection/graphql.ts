import { type ConnectionArgs, connection } from '../../graphql/connection.js';
import { repositoryOf } from '../../graphql/nodes.js';
import type { ResolverMap } from '../../graphql/resolvers.js';
import type { Context } from '../../http/context.js';
import { allows, demand, type Need } from '../../identity/access.js';
import { actorOf } from '../../identity/viewer.js';
import type { BranchProtection, Ref, Repository, RequiredCheck } from '../../world/model.js';
import { formatNodeId } from '../../world/tables.js';
import { protectionOf, ruleSources } from './effective-rules.js';
import { matchesPattern } from './ref-pattern.js';
import { requiresChecks } from './protection-json.js';

const ADMINISTER: Need = { app: 'administration:read', role: 'admin' };
const PUSH: Need = { app: 'contents:write', role: 'write' };

/** Rules are for administrators: other people see none, Apps without the permission are refused. */
function mayAdminister({ db, viewer }: Context, repository: Repository): boolean {
  if (viewer.kind === 'personal') return allows(db, viewer, repository, ADMINISTER);
  demand(db, viewer, repository, ADMINISTER);
  return true;
}

const branchOf = (ref: Ref): string | null =>
  ref.name.startsWith('refs/heads/') ? ref.name.slice('refs/heads/'.length) : null;

function protectionOfRef(ref: Ref, context: Context): BranchProtection | null {
  const branch = branchOf(ref);
  return branch === null ? null : (protectionOf(context.db, repositoryOf(context, ref), branch) ?? null);
}

const contextsOf = ({ rules }: BranchProtection): string[] => rules.requiredChecks.map(({ context }) => context);

const approvalsOf = ({ rules }: BranchProtection): number | null =>
  rules.requirePullRequest ? rules.requiredApprovals : null;

/** What everybody may know of a rule, whichever of the two types shows it. */
const shown = {
  pattern: ({ pattern }: BranchProtection) => pattern,
  allowsDeletions: ({ rules }: BranchProtection) => !rules.blockDeletions,
  allowsForcePushes: ({ rules }: BranchProtection) => !rules.blockForcePushes,
  blocksCreations: () => false,
  requiredApprovingReviewCount: approvalsOf,
  requiredStatusCheckContexts: contextsOf,
  requiresCodeOwnerReviews: () => false,
  requiresConversationResolution: ({ rules }: BranchProtection) => rules.requireThreadResolution,
  requiresLinearHistory: ({ rules }: BranchProtection) => rules.requireLinearHistory,
};

/** A ref and the protection that applies to it, for one viewer. */
interface RefRule extends BranchProtection {
  readonly ref: Ref;
}

function viewerCanPush({ ref }: RefRule, _: unknown, context: Context): boolean {
  const repository = repositoryOf(context, ref);
  if (!allows(context.db, context.viewer, repository, PUSH)) return false;
  return !ruleSources(context.db, repository, ref.name, actorOf(context.viewer)).some(
    ({ rules }) => rules.restrictUpdates,
  );
}

export const protectionResolvers: ResolverMap = {
  Repository: {
    branchProtectionRules: (repository: Repository, args: ConnectionArgs, context: Context) =>
      connection(
        mayAdminister(context, repository) ? context.db.protections.by('repositoryId', repository.id) : [],
        args,
      ),
  },
  Ref: {
    branchProtectionRule: (ref: Ref, _: unknown, context: Context) =>
      mayAdminister(context, repositoryOf(context, ref)) ? protectionOfRef(ref, context) : null,
    refUpdateRule: (ref: Ref, _: unknown, context: Context): RefRule | null => {
      const protection = protectionOfRef(ref, context);
      return protection === null ? null : { ...protection, ref };
    },
  },
  RefUpdateRule: {
    ...shown,
    requiresSignatures: () => false,
    viewerCanPush,
    viewerAllowedToDismissReviews: ({ ref }: RefRule, _: unknown, context: Context) =>
      allows(context.db, context.viewer, repositoryOf(context, ref), { app: 'pull_requests:write', role: 'write' }),
  },
  BranchProtectionRule: {
    ...shown,
    id: ({ id }: BranchProtection) => formatNodeId('protections', id),
    databaseId: ({ id }: BranchProtection) => id,
    repository: (protection: BranchProtection, _: unknown, context: Context) => repositoryOf(context, protection),
    isAdminEnforced: ({ enforceAdmins }: BranchProtection) => enforceAdmins,
    dismissesStaleReviews: ({ rules }: BranchProtection) => rules.dismissStaleReviews,
    requiresApprovingReviews: ({ rules }: BranchProtection) => rules.requirePullRequest,
    requiresCommitSignatures: () => false,
    requiresDeployments: () => false,
    requiresStatusChecks: ({ rules }: BranchProtection) => requiresChecks(rules),
    requiresStrictStatusChecks: ({ rules }: BranchProtection) => rules.strictChecks,
    requiredStatusChecks: ({ rules }: BranchProtection) => rules.requiredChecks,
    requireLastPushApproval: () => false,
    restrictsPushes: ({ rules }: BranchProtection) => rules.restrictUpdates,
    restrictsReviewDismissals: () => false,
    lockBranch: () => false,
    matchingRefs: ({ repositoryId, pattern }: BranchProtection, args: ConnectionArgs, { db }: Context) => {
      const matches = (ref: Ref) => matchesPattern(`refs/heads/${pattern}`, ref.name);
      return connection(db.refs.by('repositoryId', repositoryId).filter(matches), args);
    },
  },
  RequiredStatusCheckDescription: {
    context: ({ context }: RequiredCheck) => context,
    app: ({ appId }: RequiredCheck, _: unknown, { db }: Context) =>
      appId === null ? null : (db.apps.get(appId) ?? null),
  },
};
