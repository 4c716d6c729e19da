import { stateOf } from '../domain/completion.js';
import { formatIssue } from '../domain/ids.js';
import type { AgentPhase } from '../domain/phase.js';
import type { IssueSnapshot } from '../domain/snapshot.js';
import type { Engine } from './engine.js';
import { type StateChange, type Swapped, swapState } from './swap.js';

/** How long others keep away without hearing from us, and how often they hear. */
const LEASE_MS = 15 * 60_000;
const RENEW_MS = 5 * 60_000;

/** The right to work on an issue, renewed until it is given back or lost. */
export interface HeldLease {
  readonly phaseRun: string;
  /** Aborts when the lease is lost: whoever holds it now must find us gone. */
  readonly signal: AbortSignal;
  snapshot(): IssueSnapshot;
  /** Swaps the outcome in and gives the lease back, in one step. */
  conclude(change: StateChange): Promise<Swapped>;
  /** Stops renewing; the lease runs out by itself. */
  abandon(): void;
}

/** Takes the issue over for one phase run. The attempt is charged here, before anything can go wrong. `null`: somebody else was faster. */
export async function acquire(
  engine: Engine,
  seen: IssueSnapshot,
  phase: AgentPhase,
  because: string,
): Promise<HeldLease | null> {
  const state = stateOf(seen);
  const phaseRun = engine.newId();
  const lease = { owner: engine.instance, phase, phaseRun, until: seen.readAt + LEASE_MS };
  const counters = {
    ...state.counters,
    agentRuns: state.counters.agentRuns + 1,
    failures: state.counters.failures + 1,
  };
  const taken = await swapState(engine, seen, {
    next: { ...state, epoch: state.epoch + 1, lease, counters },
    phase,
    because,
  });
  return taken.kind === 'swapped' ? new RenewedLease(engine, taken.snapshot, phaseRun) : null;
}

class RenewedLease implements HeldLease {
  readonly phaseRun: string;
  readonly #engine: Engine;
  readonly #lost = new AbortController();
  #snapshot: IssueSnapshot;
  /** Swaps one at a time: a renewal and a conclusion must not race each other. */
  #turn: Promise<unknown> = Promise.resolve();
  #cancelTimer: () => void = () => undefined;

  constructor(engine: Engine, snapshot: IssueSnapshot, phaseRun: string) {
    this.#engine = engine;
    this.#snapshot = snapshot;
    this.phaseRun = phaseRun;
    this.#arm();
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  snapshot(): IssueSnapshot {
    return this.#snapshot;
  }

  async conclude(change: StateChange): Promise<Swapped> {
    this.#cancelTimer();
    return this.#inTurn(async () => {
      if (this.#lost.signal.aborted) return { kind: 'lost' };
      return swapState(this.#engine, this.#snapshot, { ...change, next: { ...change.next, lease: null } });
    });
  }

  abandon(): void {
    this.#cancelTimer();
  }

  #arm(): void {
    const { clock, log } = this.#engine;
    this.#cancelTimer = clock.at(clock.now() + RENEW_MS, () => {
      this.#inTurn(() => this.#renew()).catch((error: unknown) =>
        log.warn({ issue: formatIssue(this.#snapshot.ref), error }, 'lease not renewed'),
      );
    });
  }

  async #renew(): Promise<void> {
    const state = stateOf(this.#snapshot);
    if (state.lease === null || this.#lost.signal.aborted) return;
    const lease = { ...state.lease, until: state.lease.until + RENEW_MS };
    const swapped = await swapState(this.#engine, this.#snapshot, {
      next: { ...state, lease },
      phase: lease.phase,
      because: 'still at it',
    });
    if (swapped.kind !== 'swapped') return this.#lost.abort(new Error('the lease was lost'));
    this.#snapshot = swapped.snapshot;
    this.#arm();
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(task);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
