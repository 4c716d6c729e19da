/** How long others keep away without hearing from the owner of a lease, and how often they hear through the state ref. */
export const LEASE_MS = 15 * 60_000;
export const RENEW_MS = 5 * 60_000;
/** How often an instance leaves a sign of life in the store it shares with others. */
export const BEAT_MS = 10_000;
/** An instance that has left no sign for this long, in a store that would have kept it, is gone. */
export const GONE_MS = 60_000;

/** What the store of this instance knows about the owner of a lease. Only proof may shorten the wait for the lease. */
export type OwnerLife =
  /** It left a sign of life this long ago, in the very store the lease was taken under. */
  | { readonly kind: 'seen'; readonly agoMs: number }
  /** It ended in good order: nothing of it runs any more. */
  | { readonly kind: 'left' }
  /** Another store, an emptied one, or none at all: nothing is proved, and the lease holds to its end. */
  | { readonly kind: 'unknown' };

export const UNKNOWN_OWNER: OwnerLife = { kind: 'unknown' };
