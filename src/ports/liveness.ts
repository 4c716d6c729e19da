import type { OwnerLife } from '../domain/state/lease-owner.js';

/**
 * Heartbeats of the instances in a shared store, by the store's own clock. A hint: it can prove that the owner of a
 * lease is gone. When the store is lost or out of reach, it proves nothing.
 */
export interface Liveness {
  /** Writes a heartbeat and returns the id of the store. An emptied or restarted store has another id. */
  beat(owner: string): Promise<string>;
  /** The last heartbeat of an instance that shuts down normally: none of its processes run any more. */
  leave(owner: string): Promise<void>;
  /** What is known about an instance whose lease was taken while the store had this id. */
  lifeOf(owner: string, store: string | null): Promise<OwnerLife>;
}
