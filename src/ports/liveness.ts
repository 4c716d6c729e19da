import type { OwnerLife } from '../domain/state/lease-owner.js';

/**
 * Signs of life that instances leave in a store they share, by the store's own clock. A hint: it may prove that the owner of a
 * lease is gone, and when it is lost or out of reach it proves nothing.
 */
export interface Liveness {
  /** Leaves a sign of life. Answers the id of the store, which an emptied or restarted store does not have any more. */
  beat(owner: string): Promise<string>;
  /** The last sign of an instance that ends in good order: nothing of it runs any more. */
  leave(owner: string): Promise<void>;
  /** What is known about an instance whose lease was taken while the store had this id. */
  lifeOf(owner: string, store: string | null): Promise<OwnerLife>;
}
