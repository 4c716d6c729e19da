/* What a run cost is counted twice: by the key proxy, from the model's answers, and by the CLI. The proxy misses nothing that was answered; the CLI knows nothing of a process that was killed. */

/** What the CLI says, by session. Its totals go on over the resumes of a session: they are never added up. */
export type SpendClaims = ReadonlyMap<string, number>;

export const NO_CLAIMS: SpendClaims = new Map();

/** With the newest total of a session. A total that shrinks is that of a process which knew less. */
export function withClaim(claims: SpendClaims, session: string, totalUsd: number): SpendClaims {
  return new Map([...claims, [session, Math.max(totalUsd, claims.get(session) ?? 0)]]);
}

export interface Reconciled {
  /** The larger of the two: a budget must not be passed unnoticed. */
  readonly usd: number;
  /** How far they are apart, where that is worth a look. */
  readonly gapUsd: number | null;
}

/** Differences below both are rounding, or an answer that was cut off. */
const BOUND = { usd: 0.02, share: 0.1 };

/** One figure from what was counted and what is claimed. */
export function reconcile(countedUsd: number, claims: SpendClaims): Reconciled {
  const claimedUsd = [...claims.values()].reduce((sum, usd) => sum + usd, 0);
  const [less, more] = [Math.min(countedUsd, claimedUsd), Math.max(countedUsd, claimedUsd)];
  const isApart = claims.size > 0 && more - less > Math.max(BOUND.usd, BOUND.share * more);
  return { usd: more, gapUsd: isApart ? more - less : null };
}
