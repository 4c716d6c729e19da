import type { BranchRuleFacts } from './facts.js';

/** Rules that a push of one new commit can satisfy. Any other rule, also an unknown one, means that a pull request is needed. */
const NO_OBSTACLE = new Set([
  'BRANCH_NAME_PATTERN',
  'COMMITTER_EMAIL_PATTERN',
  'COMMIT_AUTHOR_EMAIL_PATTERN',
  'COMMIT_MESSAGE_PATTERN',
  'CREATION',
  'DELETION',
  'FILE_EXTENSION_RESTRICTION',
  'FILE_PATH_RESTRICTION',
  'MAX_FILE_PATH_LENGTH',
  'MAX_FILE_SIZE',
  'NON_FAST_FORWARD',
  'REQUIRED_LINEAR_HISTORY',
  'REQUIRED_REVIEW_THREAD_RESOLUTION',
  'SECRET_SCANNING',
]);

/** Whether direct pushes are refused. We do not use a right to bypass the rules, even if we have it. */
export function refusesPushes({ refUpdateRule, rules }: BranchRuleFacts): boolean {
  if (rules?.some(({ type }) => !NO_OBSTACLE.has(type)) === true) return true;
  if (refUpdateRule === null) return false;
  const { requiredApprovingReviewCount, requiredStatusCheckContexts, requiresSignatures, viewerCanPush } =
    refUpdateRule;
  const demands = requiredApprovingReviewCount !== null || (requiredStatusCheckContexts ?? []).length > 0;
  return demands || requiresSignatures || !viewerCanPush;
}

export interface RequiredCheck {
  readonly name: string;
  /** Only this App's check counts; `null` for any. */
  readonly appId: number | null;
}

/** The checks a branch requires, by classic protection and rulesets. */
export function requiredChecks({ refUpdateRule, rules }: BranchRuleFacts): readonly RequiredCheck[] {
  const classic = (refUpdateRule?.requiredStatusCheckContexts ?? [])
    .filter((name) => name !== null)
    .map((name) => ({ name, appId: null }));
  const ruled = (rules ?? []).flatMap(({ parameters }) =>
    (parameters?.requiredStatusChecks ?? []).map(({ context, integrationId }) => ({
      name: context,
      appId: integrationId,
    })),
  );
  return [...classic, ...ruled];
}
