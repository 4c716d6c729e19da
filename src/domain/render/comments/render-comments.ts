import { sizeOf, stateOf } from '../../state/evidence.js';
import type { Policy } from '../../limits/policy.js';
import type { IssueSnapshot } from '../../state/snapshot.js';
import { toKnownState } from '../../state/known-state.js';
import { publish } from '../../sanitise/publish.js';
import { sealLine } from '../../sanitise/seal.js';
import { reportText } from './report.js';
import { type CommentSlot, commentMarker } from '../../issue/comment-marker.js';
import { specText } from './spec-comment.js';
import { statusText } from '../status/status-comment.js';
import { type StatusFacts, type StatusView, statusView } from '../status/status-view.js';
import { triageText } from './triage-comment.js';

export interface RenderedComment {
  readonly slot: CommentSlot;
  /** Its first line. */
  readonly marker: string;
  /** Exactly as it will appear on GitHub. */
  readonly body: string;
}

/**
 * The comments of an issue in this state. Pure functions of the state, so that a comment is only edited when something
 * changed. The texts are already published, so that they can be compared with what GitHub shows.
 */
export function renderComments(
  snapshot: IssueSnapshot,
  policy: Policy,
  facts: StatusFacts,
): readonly RenderedComment[] {
  const { triage, spec, verify } = stateOf(snapshot).progress;
  const view = statusView(snapshot, policy, facts);
  const verdictOf = (id: string) => verify?.results.find((result) => result.id === id)?.verdict ?? 'open';
  const report = reportText(view);
  const comment = (slot: CommentSlot, text: string, of?: string): RenderedComment => {
    const marker = commentMarker(slot, of);
    const seal = slot === 'status' ? sealOf(snapshot, policy) : null;
    return { slot, marker, body: publish(`${marker}\n${text}${sealLine(seal)}`, policy.redact) };
  };
  return [
    ...(triage === null
      ? []
      : [
          comment(
            'triage',
            triageText(triage, { size: sizeOf(snapshot) ?? triage.size, hasTests: policy.hasTests, verdictOf }),
          ),
        ]),
    ...(spec === null ? [] : [comment('spec', specText(spec))]),
    comment('status', statusText(view)),
    ...(report === null ? [] : [comment('report', report, reportKey(view))]),
  ];
}

/** The signed note about the newest state. A state ref that is later found to be older than this is not trusted. */
function sealOf(snapshot: IssueSnapshot, { seals }: Policy): string | null {
  const { reading } = snapshot;
  return reading.kind === 'valid' ? (seals?.of(snapshot, toKnownState(reading.state, reading.oid)) ?? null) : null;
}

/** Identifies one end of one run, so that it is reported only once. */
function reportKey({ run, halt }: Pick<StatusView, 'run' | 'halt'>): string {
  return `${(run?.id ?? 'none').slice(0, 8)}:${halt?.code ?? 'done'}`;
}
