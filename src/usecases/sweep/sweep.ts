import { every, nowAndEvery } from '../../concurrency/every.js';
import type { Installation } from '../../ports/scanner.js';
import { InstallationSweep, type PassParts } from './installation-sweep.js';
import { CachedList } from './cached-list.js';
import { type RedeliveryParts, redeliverFailed } from './redelivery.js';

export interface SweepParts extends PassParts, Pick<RedeliveryParts, 'handlesEvent'> {
  /** The name of this instance as the one that sweeps. */
  readonly instance: string;
  /** From 0 to 1: keeps instances from sweeping at the same moment. */
  readonly random: () => number;
}

/** Reads everything every minute, so that no issue depends on a webhook. */
export interface Sweep {
  /** Makes a pass now, and then one every minute. */
  start(): void;
  /** One pass over everything, unless another instance does it. Never fails. */
  pass(): Promise<void>;
  /** Resolves when no pass is under way. */
  settled(): Promise<void>;
  /** Stops sweeping and lets another instance take over. */
  stop(): Promise<void>;
}

const LEADER = 'sweep leader';
const PASS_MS = 60_000;
/** How soon another instance takes over from one that died. */
const FOLLOW_MS = 15_000;
const LEAD_MS = 75_000;
/** Random share of the time between two passes. */
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
      .catch((error: unknown) => log.warn({ error: String(error) }, 'sweep not handed over'));
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
            log.warn({ installation: installation.owner, error: String(error) }, 'installation not swept');
          });
      }
      if (!this.#isStopped) await redeliverFailed(this.#parts);
    } catch (error) {
      log.warn({ error: String(error) }, 'sweep pass failed');
    } finally {
      stopRenewing();
    }
  }

  /** Renews the right to sweep during a long pass. Losing it is harmless: a repeated command is handled once. */
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
