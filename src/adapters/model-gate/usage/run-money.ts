import { mostUsd, usdPerOutputToken, usualInputUsd } from './input-estimate.js';
import type { InputWeight } from '../judge/judge-body.js';
import type { ModelLedger, OpenRequest } from './model-ledger.js';

/** A request that needs money. */
export interface SpendRequest {
  readonly model: string;
  readonly input: InputWeight;
  readonly maxTokens: number;
}

/** With fewer tokens an answer ends in the middle, and its input is paid for nothing. */
const LEAST_TOKENS = 8192;

export type Grant =
  /** The granted tokens, and the amount reserved for them. */
  | { readonly kind: 'granted'; readonly maxTokens: number; readonly usd: number }
  /** Wait until other requests end and release what they did not use. */
  | { readonly kind: 'wait' };

/**
 * What a request may use of the remaining budget. Next to others it gets only what is certainly there. Alone it may start while anything is
 * left, so that a run can use its whole budget; only this one request can exceed it.
 */
export function grantFor(
  { model, input, maxTokens }: SpendRequest,
  { leftUsd, isAlone }: { readonly leftUsd: number; readonly isAlone: boolean },
): Grant {
  const granted = (tokens: number): Grant => {
    const lowered = Math.min(tokens, maxTokens);
    return { kind: 'granted', maxTokens: lowered, usd: mostUsd(model, input, lowered) };
  };
  const perToken = usdPerOutputToken(model, input);
  const sure = Math.floor((leftUsd - mostUsd(model, input, 0)) / perToken);
  if (sure >= Math.min(maxTokens, LEAST_TOKENS)) return granted(sure);
  if (!isAlone) return { kind: 'wait' };
  const likely = Math.floor((leftUsd - usualInputUsd(model, input)) / perToken);
  return granted(Math.max(likely, LEAST_TOKENS));
}

export type Reservation =
  | { readonly kind: 'reserved'; readonly maxTokens: number; readonly request: OpenRequest }
  /** The budget is used up. */
  | { readonly kind: 'spent'; readonly why: string }
  /** The client is gone. */
  | { readonly kind: 'gone' };

interface Waiter {
  readonly request: SpendRequest;
  readonly resolve: (reservation: Reservation) => void;
}

/** The budget of one run: reserved before a request is forwarded, corrected by its answer. */
export class RunMoney {
  readonly #budgetUsd: number | null;
  readonly #ledger: ModelLedger;
  #waiters: Waiter[] = [];

  constructor(budgetUsd: number | null, ledger: ModelLedger) {
    this.#budgetUsd = budgetUsd;
    this.#ledger = ledger;
  }

  /** The reason when the budget is spent; `null` otherwise. The CLI gets its budget, too; this also holds for a CLI that ignores it. */
  spent(): string | null {
    const { costUsd } = this.#ledger.usage();
    const budgetUsd = this.#budgetUsd;
    if (budgetUsd === null || costUsd < budgetUsd) return null;
    return `This run has spent ${costUsd.toFixed(2)} USD of its ${budgetUsd.toFixed(2)} USD.`;
  }

  /** Reserves money, in the order of requests, as soon as enough is available. */
  async reserve(request: SpendRequest, signal: AbortSignal): Promise<Reservation> {
    if (signal.aborted) return { kind: 'gone' };
    return new Promise((resolve) => {
      const waiter = { request, resolve };
      this.#waiters.push(waiter);
      const leave = (): void => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        resolve({ kind: 'gone' });
        this.#serve();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#serve();
    });
  }

  #serve(): void {
    for (let [next] = this.#waiters; next !== undefined; [next] = this.#waiters) {
      const reservation = this.#tryReserve(next.request);
      if (reservation === null) return;
      this.#waiters.shift();
      next.resolve(reservation);
    }
  }

  #tryReserve(spend: SpendRequest): Reservation | null {
    const why = this.spent();
    if (why !== null) return { kind: 'spent', why };
    const leftUsd = (this.#budgetUsd ?? Number.POSITIVE_INFINITY) - this.#ledger.committedUsd();
    const grant = grantFor(spend, { leftUsd, isAlone: this.#ledger.openRequests() === 0 });
    if (grant.kind === 'wait') return null;
    const request = this.#ledger.open(grant.usd, () => this.#serve());
    return { kind: 'reserved', maxTokens: grant.maxTokens, request };
  }
}
