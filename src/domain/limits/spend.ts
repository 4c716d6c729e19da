/** What a run cost, from two counts of it. */
export interface ReconciledCost {
  /** The larger of the two, so that a budget is never exceeded unnoticed. */
  readonly usd: number;
  /** The difference, if it is large enough to report. */
  readonly gapUsd: number | null;
}

/** Differences below both come from rounding or from an answer that was cut off. */
const BOUND = { usd: 0.02, share: 0.1 };
/** The largest claim that is believed, so that a forged figure cannot use up a day's budget. */
const believable = (countedUsd: number): number => 2 * countedUsd + 1;

/**
 * One figure from what the key proxy counted and what the CLI claims (`null` when it could not say). The proxy misses nothing that
 * was answered. The CLI forgets what a killed process spent, and it reports from inside the sandbox.
 */
export function reconcileCost(countedUsd: number, claimedUsd: number | null): ReconciledCost {
  if (claimedUsd === null) return { usd: countedUsd, gapUsd: null };
  const gap = Math.abs(claimedUsd - countedUsd);
  const isApart = gap > Math.max(BOUND.usd, BOUND.share * Math.max(claimedUsd, countedUsd));
  const usd = Math.max(countedUsd, Math.min(claimedUsd, believable(countedUsd)));
  return { usd, gapUsd: isApart ? gap : null };
}
