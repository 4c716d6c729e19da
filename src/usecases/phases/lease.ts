import { currentPull, landedWorkHead, stateOf } from '../../domain/state/evidence.js';
import { savedWorkRef, formatIssue, previousHeadRef, stateRefName, workBranch } from '../../domain/issue/ids.js';
import { waitForOwner } from '../../domain/decide/lease-wait.js';
import { LEASE_MS, RENEW_MS, type OwnerLife, UNKNOWN_OWNER } from '../../domain/state/lease-owner.js';
import type { AgentPhase } from '../../domain/issue/phase.js';
import type { IssueSnapshot } from '../../domain/state/snapshot.js';
import type { IssueState, Lease } from '../../domain/state/state.js';
import { withoutLease } from '../../domain/state/state-changes.js';
import { GitHostError, type RefPush } from '../../ports/git-host.js';
import type { Engine } from '../engine.js';
import { observe } from '../issue/observe.js';
import { withCostNote } from './lease-with-note.js';
import { chargeRun } from './phase-charge.js';
import { type StateChange, type StateSwapResult, swapState } from '../issue/swap-state.js';

/** How soon a pending request in the state is noticed. */
const WATCH_MS = 5_000;
/** A holder that cannot renew stops this long before others may take the issue. */
const LET_GO_MS = 30_000;
/** Pause before an unanswered write of a result is repeated; doubles each time. */
const FIRST_PAUSE_MS = 15_000;
/** Other writers may add pending requests while we work. More lost swaps in a row than this mean a defect. */
const MAX_TRIES = 5;

/** Why work under a lease has to end at once. */
export type LeaseEnd =
  /** Somebody else has taken the issue over: we may not write to it any more. */
  | 'lost'
  /** A person wants it to stop. The lease is still ours. */
  | 'stop';

export interface ConcludeOptions {
  /** The outcome is valid only for the state it was decided from. If that has changed, the result is `blocked` by the state ref. */
  readonly isConfirmed?: boolean;
}

/** The right to work on an issue, renewed until it is given back or lost. */
export interface HeldLease {
  readonly phaseRun: string;
  /** Aborts when the lease is lost or a person wants a stop: the agent must end then. */
  readonly signal: AbortSignal;
  endReason(): LeaseEnd | null;
  snapshot(): IssueSnapshot;
  /**
   * Swaps the outcome in and releases the lease, in one step. `change` is called again when somebody wrote a pending request meanwhile.
   * When a branch blocks the swap the lease is still held, and another outcome may be tried.
   */
  conclude(change: (state: IssueState) => StateChange, options?: ConcludeOptions): Promise<StateSwapResult>;
  /** Stops renewing; the lease expires by itself. */
  abandon(): void;
}

/** Takes the issue for one phase run. The run is counted in the same swap, before anything can go wrong. `null` when somebody else has it. */
export async function acquireLease(
  engine: Engine,
  seen: IssueSnapshot,
  phase: AgentPhase,
  because: string,
): Promise<HeldLease | null> {
  const before = stateOf(seen);
  const owner = await ownerOf(engine, before.lease);
  // The owner may have come back since it was thought gone.
  if (waitForOwner(before.lease, owner, seen.readAt) !== null) return null;
  const state = chargeRun(before, phase, owner);
  const phaseRun = engine.newId();
  // Written before the lease, so that a missing sign can only mean that it was lost.
  const store = await engine.liveness.beat(engine.instance).catch(() => null);
  const lease = { owner: engine.instance, phase, phaseRun, until: seen.readAt + LEASE_MS, store };
  const next = { ...withoutLease(state), epoch: state.epoch + 1, lease };
  const taken = await swapAndTidy(engine, seen, { next, phase, because, kind: 'taken' });
  if (taken.kind !== 'swapped') return null;
  return withCostNote(engine, phase, new RenewedLease(engine, taken.snapshot, phaseRun, seen.knownAt + LEASE_MS));
}

/** When the store does not answer, nothing is known about the owner. */
async function ownerOf({ liveness }: Engine, lease: Lease | null): Promise<OwnerLife> {
  return lease === null ? UNKNOWN_OWNER : liveness.lifeOf(lease.owner, lease.store).catch(() => UNKNOWN_OWNER);
}

/** Swaps, and removes a merged work branch with it, so that no late request can open a second pull request from it. */
async function swapAndTidy(engine: Engine, seen: IssueSnapshot, change: StateChange): Promise<StateSwapResult> {
  const apart = change.phase === 'verify' ? await savedWorkRemovals(engine, seen) : [];
  const alongside = [...(await landedBranchRemoval(engine, seen)), ...apart];
  if (alongside.length === 0) return swapState(engine, seen, change);
  const swapped = await swapState(engine, seen, { ...change, alongside });
  // The branch is gone already, or a rule keeps it; the state is written anyway.
  return swapped.kind === 'blocked' || swapped.kind === 'refused' ? swapState(engine, seen, change) : swapped;
}

/**
 * Removes the branch of landed work. A pull request keeps its commits; after a patch, people's commits on it would be lost, so they are
 * kept.
 */
async function landedBranchRemoval({ gitHost }: Engine, seen: IssueSnapshot): Promise<readonly RefPush[]> {
  const spent = landedWorkHead(seen);
  if (spent === null) return [];
  const { ref } = seen;
  const name = `refs/heads/${workBranch(ref.number)}`;
  const removal: RefPush = { ref: name, expected: spent, to: null };
  if (currentPull(seen)?.head === spent) return [removal];
  await gitHost.fetch(ref, [name]);
  return [removal, { ref: previousHeadRef(ref.number, spent), expected: null, to: spent }];
}

/** Removes saved work once the issue's work has landed: it is part of that, or was given up for it. */
async function savedWorkRemovals({ gitHost }: Engine, { ref }: IssueSnapshot): Promise<readonly RefPush[]> {
  const refs = await gitHost.fetch(ref, [`${savedWorkRef(ref.number, '')}*`]);
  return [...refs].map(([name, oid]) => ({ ref: name, expected: oid, to: null }));
}

const giveBack = (change: StateChange): StateChange => ({ ...change, next: { ...change.next, lease: null } });

class RenewedLease implements HeldLease {
  readonly phaseRun: string;
  readonly #engine: Engine;
  readonly #end = new AbortController();
  #ended: LeaseEnd | null = null;
  #snapshot: IssueSnapshot;
  /** Runs swaps one at a time, so that a renewal and a conclusion do not race. */
  #turn: Promise<unknown> = Promise.resolve();
  #renewAt: number;
  /** When others may take the issue, by our steady clock. */
  #endsAt: number;
  #cancelTimer: () => void = () => undefined;

  constructor(engine: Engine, snapshot: IssueSnapshot, phaseRun: string, endsAt: number) {
    this.#engine = engine;
    this.#snapshot = snapshot;
    this.phaseRun = phaseRun;
    this.#endsAt = endsAt;
    this.#renewAt = engine.clock.now() + RENEW_MS;
    this.#arm();
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  endReason(): LeaseEnd | null {
    return this.#ended;
  }

  snapshot(): IssueSnapshot {
    return this.#snapshot;
  }

  async conclude(change: (state: IssueState) => StateChange, options: ConcludeOptions = {}): Promise<StateSwapResult> {
    this.#cancelTimer();
    const tries = options.isConfirmed === true ? 1 : MAX_TRIES;
    const concluded = await this.#inTurn(() => this.#swapPatiently((state) => giveBack(change(state)), tries));
    if (concluded.kind === 'blocked' || concluded.kind === 'refused') this.#arm();
    return concluded;
  }

  /** Retries without haste: while the lease lasts nobody else works on the issue. */
  async #swapPatiently(change: (state: IssueState) => StateChange, tries: number): Promise<StateSwapResult> {
    const { clock, log } = this.#engine;
    for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
      try {
        return await this.#swap(change, tries);
      } catch (error) {
        const isPassing = error instanceof GitHostError && error.retry === 'transient';
        if (!isPassing || clock.steady() + pause >= this.#endsAt - LET_GO_MS) throw error;
        log.warn({ issue: formatIssue(this.#snapshot.ref), pause, error: error.message }, 'result not written yet');
        await new Promise<void>((resolve) => void clock.at(clock.now() + pause, resolve));
        await this.#reload();
      }
    }
  }

  abandon(): void {
    this.#cancelTimer();
  }

  #arm(): void {
    const { clock, log } = this.#engine;
    const soon = clock.now() + WATCH_MS;
    // A failed renewal is due at once; wait anyway, to avoid a busy loop.
    this.#cancelTimer = clock.at(this.#renewAt > clock.now() ? Math.min(soon, this.#renewAt) : soon, () => {
      this.#inTurn(() => this.#checkState())
        .catch((error: unknown) => log.warn({ issue: formatIssue(this.#snapshot.ref), error }, 'lease not checked'))
        .finally(() => {
          // No answer, and soon somebody else may take the issue.
          if (this.#ended === null && clock.steady() >= this.#endsAt - LET_GO_MS) this.#finish('lost');
          if (this.#ended === null) this.#arm();
        });
    });
  }

  /** Notices changes by others, at no API request, and renews when due. */
  async #checkState(): Promise<void> {
    const { gitHost, clock } = this.#engine;
    const { ref, reading } = this.#snapshot;
    const name = stateRefName(ref.number);
    const now = (await gitHost.fetch(ref, [name])).get(name);
    if (reading.kind !== 'none' && now !== reading.oid) await this.#reload();
    if (this.#ended !== null || clock.now() < this.#renewAt) return;
    // Extends the lease to its full time from now on, however late this renewal is.
    const more = clock.steady() + LEASE_MS - this.#endsAt;
    const renewed = await this.#swap((state) => {
      const lease = state.lease === null ? null : { ...state.lease, until: state.lease.until + more };
      return { next: { ...state, lease }, phase: state.lease?.phase ?? 'issue', because: 'still at it', kind: null };
    });
    if (renewed.kind === 'swapped') this.#endsAt += more;
    this.#renewAt = clock.now() + RENEW_MS;
  }

  async #swap(change: (state: IssueState) => StateChange, tries = MAX_TRIES): Promise<StateSwapResult> {
    for (let attempt = 0; attempt < tries && this.#ended !== 'lost'; attempt += 1) {
      const swapped = await swapState(this.#engine, this.#snapshot, change(stateOf(this.#snapshot)));
      if (swapped.kind === 'swapped') this.#snapshot = swapped.snapshot;
      if (swapped.kind !== 'lost') return swapped;
      await this.#reload();
    }
    if (this.#ended === 'lost' || tries === MAX_TRIES) return { kind: 'lost' };
    return { kind: 'blocked', moved: [stateRefName(this.#snapshot.ref.number)] };
  }

  /** Somebody changed the state. Keep the lease after a pending request; end when the owner changed. */
  async #reload(): Promise<void> {
    const seen = await observe(this.#engine, this.#snapshot.ref);
    const state = seen === null ? null : stateOf(seen);
    if (seen === null || state?.lease?.phaseRun !== this.phaseRun) return this.#finish('lost');
    this.#snapshot = seen;
    if (state.pendingRequest?.kind === 'stop') this.#finish('stop');
  }

  #finish(end: LeaseEnd): void {
    this.#ended = this.#ended === 'lost' ? 'lost' : end;
    this.#end.abort(new Error(end === 'lost' ? 'the lease was lost' : 'a person stopped the run'));
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(task);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
