import { isShown } from './projection.js';
import type { Change } from '../../action/change.js';
import { RUN_STATES, runLabel, runStatesIn } from '../../issue/label.js';
import type { Policy } from '../../limits/policy.js';
import type { IssueSnapshot } from '../../state/snapshot.js';
import { publish } from '../../sanitise/publish.js';
import { sealLine } from '../../sanitise/seal.js';
import { commentMarker } from '../../issue/comment-marker.js';
import { type UntrustedState, untrustedText } from '../comments/untrusted-comment.js';

/**
 * What GitHub should show while the state of an issue cannot be trusted. Only if our status comment would otherwise say something
 * untrue: a person who pushes refs for issues we never worked on must not make us write there.
 */
export function untrustedStateChanges(
  snapshot: IssueSnapshot,
  reading: UntrustedState,
  policy: Policy,
): readonly Change[] {
  const marker = commentMarker('status');
  const existing = snapshot.comments.find(
    ({ author, body }) => author?.id === policy.identity.accountId && body.startsWith(marker),
  );
  if (existing === undefined || snapshot.state === 'closed') return [];
  // The comment keeps its seal, because it may be the only record of the newest state.
  const seal = reading.known === undefined ? null : (policy.seals?.of(snapshot, reading.known) ?? null);
  const text = untrustedText(snapshot.ref.number, reading);
  const body = publish(`${marker}\n${text}${sealLine(seal)}`, policy.redact);
  const shown = isShown(existing.body, body, snapshot, policy);
  return [
    ...labels(snapshot),
    ...(shown ? [] : [{ kind: 'comment', slot: 'status', body, existing: existing.id } as const]),
  ];
}

/** Nothing works on the issue, so it gets `auto/needs-human` only. */
function labels({ labels: current }: IssueSnapshot): readonly Change[] {
  const wanted = runLabel('needs-human');
  const others = new Set(RUN_STATES.map(runLabel).filter((label) => label !== wanted));
  const add = runStatesIn(current).includes('needs-human') ? [] : [wanted];
  const remove = current.filter((label) => others.has(label.trim().toLowerCase()));
  return add.length + remove.length === 0 ? [] : [{ kind: 'labels', add, remove }];
}
