/** How long a lease lasts without renewal, and how often it is renewed in the state ref. */
export const LEASE_MS = 15 * 60_000;
export const RENEW_MS = 5 * 60_000;
/** How often an instance writes its heartbeat to the shared store. */
export const BEAT_MS = 10_000;
/** An instance without a heartbeat for this long, in the same store, counts as dead. */
export const GONE_MS = 60_000;

/** What the store knows about the owner of a lease. Only proof may end a lease early. */
export type OwnerLife =
  /** Its last heartbeat was this long ago, in the same store under which it took the lease. */
  | { readonly kind: 'seen'; readonly agoMs: number }
  /** It shut down normally: none of its processes run any more. */
  | { readonly kind: 'left' }
  /** The store is another one, was emptied or does not exist. That proves nothing, so the lease is valid to its end. */
  | { readonly kind: 'unknown' };

export const UNKNOWN_OWNER: OwnerLife = { kind: 'unknown' };
