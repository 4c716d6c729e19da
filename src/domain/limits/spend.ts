/** What a run cost, from two counts of it. */
export interface ReconciledCost {
  /** The larger of the two: a budget must not be passed unnoticed. */
  readonly usd: number;
  /** How far they are apart, where that is worth a look. */
  readonly gapUsd: number | null;
}

/** Differences below both are rounding, or an answer that was cut off. */
const BOUND = { usd: 0.02, share: 0.1 };
/** More than this nobody could have spent past the proxy: a forged figure must not use up a day's budget. */
const believable = (countedUsd: number): number => 2 * countedUsd + 1;

/**
 * One figure from what the key proxy counted and what the CLI claims (`null` when it could not say). The proxy misses nothing that
 * was answered; the CLI forgets what a killed process spent, and speaks from inside the sandbox.
 */
export function reconcileCost(countedUsd: number, claimedUsd: number | null): ReconciledCost {
  if (claimedUsd === null) return { usd: countedUsd, gapUsd: null };
  const gap = Math.abs(claimedUsd - countedUsd);
  const isApart = gap > Math.max(BOUND.usd, BOUND.share * Math.max(claimedUsd, countedUsd));
  const usd = Math.max(countedUsd, Math.min(claimedUsd, believable(countedUsd)));
  return { usd, gapUsd: isApart ? gap : null };
}
