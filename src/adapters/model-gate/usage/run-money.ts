import { mostUsd, usdPerOutputToken, usualInputUsd } from './input-estimate.js';
import type { InputWeight } from '../judge/judge-body.js';
import type { ModelLedger, OpenRequest } from './model-ledger.js';

/** A request that wants to be paid for. */
export interface SpendRequest {
  readonly model: string;
  readonly input: InputWeight;
  readonly maxTokens: number;
}

/** With fewer tokens an answer ends in the middle of its work, and costs its input for nothing. */
const LEAST_TOKENS = 8192;

export type Grant =
  /** With so many tokens at most, for which so much is set aside. */
  | { readonly kind: 'granted'; readonly maxTokens: number; readonly usd: number }
  /** When others are over and have given back what they did not use. */
  | { readonly kind: 'wait' };

/**
 * What a request may use of what is left. Next to others it gets only what is surely there. Alone it is let through while anything is
 * left, so that a run can use up its money; it can then go beyond it, but no other one can.
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
  /** Nobody waits for it any more. */
  | { readonly kind: 'gone' };

interface Waiter {
  readonly request: SpendRequest;
  readonly resolve: (reservation: Reservation) => void;
}

/** The money of one run: set aside before a request is passed on, corrected by what its answer says. */
export class RunMoney {
  readonly #budgetUsd: number | null;
  readonly #ledger: ModelLedger;
  #waiters: Waiter[] = [];

  constructor(budgetUsd: number | null, ledger: ModelLedger) {
    this.#budgetUsd = budgetUsd;
    this.#ledger = ledger;
  }

  /** Says that nothing is left; `null` while something is. The CLI is told its budget, too; this holds even if it does not care. */
  spent(): string | null {
    const { costUsd } = this.#ledger.usage();
    const budgetUsd = this.#budgetUsd;
    if (budgetUsd === null || costUsd < budgetUsd) return null;
    return `This run has spent ${costUsd.toFixed(2)} USD of its ${budgetUsd.toFixed(2)} USD.`;
  }

  /** Sets money aside, in the order of asking, as soon as there is enough that no other request might use. */
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
