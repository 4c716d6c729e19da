import { routeFor, sizeOf, stateOf, withState } from '../../state/evidence.js';
import { formatRoute } from '../../issue/route.js';
import { isStronger } from '../../issue/size.js';
import type { IssueSnapshot } from '../../state/snapshot.js';
import type { RunRecord } from '../../state/state.js';

/** Why the issue has its size, if people influenced it; `null` if only triage decided. */
export function sizeReason(snapshot: IssueSnapshot): string | null {
  const { run, progress } = stateOf(snapshot);
  const size = sizeOf(snapshot);
  const { ownSize, vouchedSize } = run ?? { ownSize: null, vouchedSize: null };
  const found = progress.triage === null ? '' : `; triage found ${progress.triage.size}`;
  if (size === null) return null;
  if (ownSize?.size === size) return `set by ${ownSize.by}${progress.triage?.size === size ? '' : found}`;
  if (vouchedSize === null) return null;
  if (vouchedSize.size === size && progress.triage?.size !== size)
    return `it stood on the issue when ${vouchedSize.by} asked for this${found}`;
  return isStronger(size, vouchedSize.size)
    ? `${vouchedSize.size} stood on the issue when ${vouchedSize.by} asked for this, which counts only where it is larger`
    : null;
}

/** What changes when a permitted person gives the issue another size. */
export function resizedText(snapshot: IssueSnapshot, run: RunRecord): string {
  const set = `${run.ownSize?.by ?? ''} set size/${run.ownSize?.size ?? ''}`;
  const [before, after] = [snapshot, withState(snapshot, { ...stateOf(snapshot), run })].map((seen) =>
    formatRoute(routeFor(seen)),
  );
  return before === after ? `${set}; the route stays ${before}` : `${set}; the route is ${after} instead of ${before}`;
}
