import { isStronger, type Size } from './size.js';
import type { Instant } from './instant.js';

/** A size that people gave an issue, and on whose word it counts. */
export interface GivenSize {
  readonly size: Size;
  /** A login. */
  readonly by: string;
  /** When they set it, or vouched for it. */
  readonly at: Instant;
}

/** What people say about the size of an issue, as the state of its run has it. */
export interface GivenSizes {
  /** By a permitted person's own label: this decides. */
  readonly ownSize: GivenSize | null;
  /** Stood on the issue when a permitted person asked for the run. Nobody knows who set it, so it only makes the route stronger. */
  readonly vouchedSize: GivenSize | null;
}

/** An issue of unknown size goes through a pull request, as one of this size does. */
const UNKNOWN: Size = 'M';

/** The size that counts: what a permitted person set, else what triage found; more where something larger stood on the issue. */
export function effectiveSize({ ownSize, vouchedSize }: GivenSizes, found: Size | null): Size | null {
  const decided = ownSize?.size ?? found;
  if (vouchedSize === null) return decided;
  if (decided === null) return isStronger(UNKNOWN, vouchedSize.size) ? null : vouchedSize.size;
  return isStronger(vouchedSize.size, decided) ? vouchedSize.size : decided;
}
