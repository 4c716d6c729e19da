import { accountNode, issueOfNode, subjectNode } from '../../graphql/nodes.js';
import type { Context } from '../../http/context.js';
import { actorOf } from '../../identity/viewer.js';
import type { Issue } from '../../world/model.js';
import { demandOn, MODERATE } from './access.js';
import { lockIssue, unlockIssue } from './lock.js';

interface Input {
  readonly input: { readonly lockableId: string; readonly lockReason?: keyof typeof LOCK_REASONS | null };
}

const LOCK_REASONS = {
  OFF_TOPIC: 'off-topic',
  TOO_HEATED: 'too heated',
  RESOLVED: 'resolved',
  SPAM: 'spam',
} as const satisfies Record<string, Issue['lockReason']>;

function lockable(context: Context, id: string) {
  const issue = issueOfNode(context, id);
  demandOn(context, issue, MODERATE);
  return { issue, actor: actorOf(context.viewer) };
}

export const lockMutations = {
  lockLockable: async (_: unknown, { input }: Input, context: Context) => {
    const { issue, actor } = lockable(context, input.lockableId);
    await lockIssue(context.world, actor, issue, input.lockReason == null ? null : LOCK_REASONS[input.lockReason]);
    return { actor: accountNode(context, actor.userId), lockedRecord: subjectNode(context, issue.id) };
  },
  unlockLockable: async (_: unknown, { input }: Input, context: Context) => {
    const { issue, actor } = lockable(context, input.lockableId);
    await unlockIssue(context.world, actor, issue);
    return { actor: accountNode(context, actor.userId), unlockedRecord: subjectNode(context, issue.id) };
  },
};
