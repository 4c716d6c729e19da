import { isStronger, type Size } from './size.js';
import type { Instant } from './instant.js';

/** A size that people gave an issue, and who is responsible for it. */
export interface GivenSize {
  readonly size: Size;
  /** A login. */
  readonly by: string;
  /** When they set it, or vouched for it. */
  readonly at: Instant;
}

/** The sizes people gave an issue, as recorded in its state. */
export interface GivenSizes {
  /** Set by a permitted person's own label. It decides. */
  readonly ownSize: GivenSize | null;
  /** Was on the issue when a permitted person started the run. Who set it is unknown, so it can only make the route stricter. */
  readonly vouchedSize: GivenSize | null;
}

/** An issue of unknown size goes through a pull request, like one of this size. */
const UNKNOWN: Size = 'M';

/** The size that counts: what a permitted person set, else what triage found, or the vouched size if that is larger. */
export function effectiveSize({ ownSize, vouchedSize }: GivenSizes, found: Size | null): Size | null {
  const decided = ownSize?.size ?? found;
  if (vouchedSize === null) return decided;
  if (decided === null) return isStronger(UNKNOWN, vouchedSize.size) ? null : vouchedSize.size;
  return isStronger(vouchedSize.size, decided) ? vouchedSize.size : decided;
}
