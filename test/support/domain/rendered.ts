import type { Change } from '../../../src/domain/action/change.js';
import { statusFacts } from '../../../src/domain/decide/activity.js';
import type { Policy } from '../../../src/domain/limits/policy.js';
import { type RenderedComment, renderComments } from '../../../src/domain/render/comments/render-comments.js';
import { projectionChanges } from '../../../src/domain/render/projection/projection.js';
import type { IssueSnapshot } from '../../../src/domain/state/snapshot.js';

/* What GitHub should show for a snapshot, at the time it was read. */

/** The comments an issue in this state has. */
export const commentsOf = (snapshot: IssueSnapshot, policy: Policy): readonly RenderedComment[] =>
  renderComments(snapshot, policy, statusFacts({ snapshot, policy, now: snapshot.readAt }));

/** Everything GitHub should show and does not. */
export const driftOf = (snapshot: IssueSnapshot, policy: Policy): readonly Change[] =>
  projectionChanges(snapshot, policy, statusFacts({ snapshot, policy, now: snapshot.readAt }));
