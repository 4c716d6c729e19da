import { every, nowAndEvery } from '../../concurrency/every.js';
import type { Installation } from '../../ports/scanner.js';
import { InstallationSweep, type PassParts } from './installation-sweep.js';
import { CachedList } from './cached-list.js';
import { type RedeliveryParts, redeliverFailed } from './redelivery.js';

export interface SweepParts extends PassParts, Pick<RedeliveryParts, 'handlesEvent'> {
  /** This instance, as it signs for being the one that sweeps. */
  readonly instance: string;
  /** From 0 up to 1: spreads instances and services out. */
  readonly random: () => number;
}

/** Looks at everything every minute, so that no issue depends on a webhook. */
export interface Sweep {
  /** Looks at once, and from then on every minute. */
  start(): void;
  /** One look at everything, if no other instance is doing that. Never fails. */
  pass(): Promise<void>;
  /** Resolves when no look is under way. */
  settled(): Promise<void>;
  /** Looks no more; gives up being the one that does. */
  stop(): Promise<void>;
}

const LEADER = 'sweep leader';
const PASS_MS = 60_000;
/** How soon another instance takes over from one that died. */
const FOLLOW_MS = 15_000;
const LEAD_MS = 75_000;
/** Up to this much of the time between two looks is left to chance. */
const JITTER = 0.2;

export function createSweep(parts: SweepParts): Sweep {
  return new MinuteSweep(parts);
}

class MinuteSweep implements Sweep {
  readonly #parts: SweepParts;
  readonly #installations: CachedList<Installation>;
  readonly #sweeps = new Map<number, InstallationSweep>();
  #underWay: Promise<void> = Promise.resolve();
  #stopTimer: () => void = () => undefined;
  #isStopped = false;
  #leads = false;

  constructor(parts: SweepParts) {
    this.#parts = parts;
    this.#installations = new CachedList(() => parts.scanner.installations(), parts);
  }

  start(): void {
    const pause = (): number => (this.#leads ? PASS_MS : FOLLOW_MS) * (1 + JITTER * (this.#parts.random() - 0.5));
    this.#stopTimer = nowAndEvery(this.#parts.clock, pause, () => this.pass()).stop;
  }

  pass(): Promise<void> {
    this.#underWay = this.#underWay.then(() => this.#pass());
    return this.#underWay;
  }

  settled(): Promise<void> {
    return this.#underWay;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopTimer();
    await this.#underWay;
    const { hints, instance, log } = this.#parts;
    await hints
      .release(LEADER, instance)
      .catch((error: unknown) => log.warn({ error: String(error) }, 'the sweep could not be handed over'));
  }

  async #pass(): Promise<void> {
    const { log } = this.#parts;
    const stopRenewing = this.#keepLead();
    try {
      this.#leads = await this.#lead();
      if (!this.#leads) return;
      for (const installation of await this.#installations.all()) {
        if (this.#isStopped || !(await this.#lead())) return;
        await this.#sweepOf(installation)
          .pass()
          .catch((error: unknown) => {
            log.warn({ installation: installation.owner, error: String(error) }, 'an installation was not swept');
          });
      }
      if (!this.#isStopped) await redeliverFailed(this.#parts);
    } catch (error) {
      log.warn({ error: String(error) }, 'the sweep came to nothing this time');
    } finally {
      stopRenewing();
    }
  }

  /** A look may take longer than the right to it lasts. Losing it all the same is harmless: what is told twice is heard once. */
  #keepLead(): () => void {
    return every(this.#parts.clock, LEAD_MS / 3, () => {
      if (this.#leads) this.#lead().catch(() => undefined);
    });
  }

  #lead(): Promise<boolean> {
    const { hints, instance } = this.#parts;
    return hints.acquire(LEADER, instance, LEAD_MS);
  }

  #sweepOf(installation: Installation): InstallationSweep {
    const known = this.#sweeps.get(installation.id) ?? new InstallationSweep(this.#parts, installation);
    this.#sweeps.set(installation.id, known);
    return known;
  }
}
