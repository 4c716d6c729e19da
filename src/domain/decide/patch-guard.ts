import type { Policy } from '../limits/policy.js';
import type { IssueSnapshot } from '../state/snapshot.js';

/** Why a small issue goes through a pull request in this repository; `null` when it may land directly. */
export function patchObstacle({ base }: IssueSnapshot, policy: Policy): string | null {
  if (policy.route === 'pr') return '`.github/sluice.yml` says `route: pr`';
  if (policy.merge !== 'auto') return `\`.github/sluice.yml\` says \`merge: ${policy.merge}\``;
  // Tests run on the commit that lands, and again on base.
  if (policy.hasTests) return null;
  const checks = policy.expectedChecks ?? [];
  if (checks.length === 0)
    return `nothing guards ${base.ref}: \`.github/sluice.yml\` names neither a \`test\` command nor \`checks\``;
  return base.checks === 'green' ? null : `the checks on ${base.ref} are not green (${base.checks})`;
}
