import { nowAndEvery } from '../../concurrency/every.js';
import { stateOf } from '../../domain/state/evidence.js';
import { formatIssue, type IssueRef } from '../../domain/issue/ids.js';
import { BEAT_MS, GONE_MS, type OwnerLife, UNKNOWN_OWNER } from '../../domain/state/lease-owner.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { Lease } from '../../domain/state/state.js';
import type { Clock } from '../../ports/clock.js';
import type { Liveness } from '../../ports/liveness.js';
import type { Log } from '../../ports/log.js';

export interface HeartbeatParts {
  readonly liveness: Liveness;
  readonly instance: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly wake: (ref: IssueRef) => Promise<void>;
}

/** Renews this instance's sign of life, and notices when others stop renewing theirs. */
export interface Heartbeat {
  /** What is known about the owner of the issue's lease. Once that owner is gone the issue is woken; this needs no request to GitHub. */
  ownerOf(snapshot: IssueSnapshot): Promise<OwnerLife>;
  /** Writes the first sign of life, then one every few seconds. */
  start(): Promise<void>;
  /** For an orderly end, when this instance does nothing any more. */
  stop(): Promise<void>;
}

/** More issues than one service has under way; the sweep covers the rest. */
const MAX_WATCHED = 1_000;

export function createHeartbeat({ liveness, instance, clock, log, wake }: HeartbeatParts): Heartbeat {
  const watched = new Map<string, { readonly ref: IssueRef; readonly lease: Lease }>();
  const timer = { stop: (): void => undefined };

  const lifeOf = (lease: Lease): Promise<OwnerLife> =>
    // A store that does not answer proves nothing.
    liveness.lifeOf(lease.owner, lease.store).catch(() => UNKNOWN_OWNER);

  const checkOwners = async (): Promise<void> => {
    for (const [key, { ref, lease }] of watched) {
      const life = await lifeOf(lease);
      if (isHere(life)) continue;
      watched.delete(key);
      if (life.kind === 'unknown') continue;
      log.warn({ issue: key, owner: lease.owner, life: life.kind }, 'the owner of a lease is gone');
      await wake(ref);
    }
  };

  const tick = async (): Promise<void> => {
    await liveness.beat(instance).catch(() => undefined);
    await checkOwners().catch((error: unknown) =>
      log.warn({ error: String(error) }, 'lease owners could not be checked'),
    );
  };

  return {
    ownerOf: async (snapshot) => {
      const { ref } = snapshot;
      const { lease } = stateOf(snapshot);
      if (lease === null) return UNKNOWN_OWNER;
      if (lease.owner === instance) return { kind: 'seen', agoMs: 0 };
      const life = await lifeOf(lease);
      if (isHere(life) && watched.size < MAX_WATCHED) watched.set(formatIssue(ref), { ref, lease });
      return life;
    },
    start: () => {
      const { first, stop } = nowAndEvery(clock, BEAT_MS, tick);
      timer.stop = stop;
      return first;
    },
    stop: async () => {
      timer.stop();
      await liveness.leave(instance).catch(() => undefined);
    },
  };
}

const isHere = (life: OwnerLife): boolean => life.kind === 'seen' && life.agoMs < GONE_MS;
