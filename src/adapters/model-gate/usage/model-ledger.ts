import type { ModelTrouble, ModelUsage } from '../../../ports/model-gate.js';
import { isPriced } from './model-prices.js';
import { type AnswerUsage, withCost, type UsageMeter } from './usage-meter.js';

/** A request that is under way. */
export interface OpenRequest {
  /** The answer has begun; `meter` counts it from now on. */
  answers(meter: UsageMeter): void;
  /** The request is over. `cut` is the least it counts for if the API did not report its usage. */
  close(cut?: AnswerUsage | null): void;
}

interface Open {
  /** The amount reserved for it. */
  readonly reservedUsd: number;
  meter: UsageMeter | null;
}

const NOTHING: Omit<ModelUsage, 'requests' | 'models'> = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
};

/** The usage of one run, including answers in progress. */
export class ModelLedger {
  readonly #open = new Set<Open>();
  readonly #models = new Set<string>();
  #counted = NOTHING;
  #requests = 0;
  #trouble: ModelTrouble | null = null;
  readonly #onUnpriced: (model: string) => void;
  readonly #unpriced = new Set<string>();

  readonly #onCost: (costUsd: number) => void;

  /** `onUnpriced` is called once for each model without a known price, `onCost` with the cost of each finished answer. */
  constructor(onUnpriced: (model: string) => void, onCost: (costUsd: number) => void = () => undefined) {
    this.#onUnpriced = onUnpriced;
    this.#onCost = onCost;
  }

  /** Opens a request. `onClose` is called when it is over and counted. */
  open(reservedUsd: number, onClose: () => void = () => undefined): OpenRequest {
    const open: Open = { reservedUsd, meter: null };
    this.#open.add(open);
    this.#requests += 1;
    return {
      answers: (meter) => void (open.meter = meter),
      close: (cut = null) => {
        if (!this.#open.delete(open)) return;
        this.#count(finalUsage(open.meter, cut));
        onClose();
      },
    };
  }

  /** The newest finding counts: a good answer clears an earlier trouble, except a spent budget. */
  found(trouble: ModelTrouble | null): void {
    if (this.#trouble?.kind !== 'over-budget') this.#trouble = trouble;
  }

  trouble(): ModelTrouble | null {
    return this.#trouble;
  }

  openRequests(): number {
    return this.#open.size;
  }

  /** The amount spent, and reserved for open requests. */
  committedUsd(): number {
    const open = [...this.#open].map(({ reservedUsd, meter }) => Math.max(reservedUsd, meter?.usage()?.costUsd ?? 0));
    return open.reduce((sum, usd) => sum + usd, this.#counted.costUsd);
  }

  usage(): ModelUsage {
    const coming = [...this.#open].map(({ meter }) => meter?.usage() ?? null).filter((usage) => usage !== null);
    const models = new Set([...this.#models, ...coming.map((usage) => usage.model)]);
    return { requests: this.#requests, ...coming.reduce(sumOf, this.#counted), models: [...models] };
  }

  #count(usage: AnswerUsage | null): void {
    if (usage === null) return;
    this.#counted = sumOf(this.#counted, usage);
    this.#models.add(usage.model);
    this.#onCost(usage.costUsd);
    if (isPriced(usage.model) || this.#unpriced.has(usage.model)) return;
    this.#unpriced.add(usage.model);
    this.#onUnpriced(usage.model);
  }
}

/** Uses what the API reported. For the rest, the larger of what was seen and what it can have cost. */
function finalUsage(meter: UsageMeter | null, cut: AnswerUsage | null): AnswerUsage | null {
  meter?.end();
  const seen = meter?.usage() ?? null;
  if (cut === null || meter === null || seen === null) return seen ?? cut;
  switch (meter.known()) {
    case 'all':
      return seen;
    case 'input':
      return withCost(seen.model, { ...seen, output: Math.max(seen.output, cut.output) });
    case 'nothing':
      return seen.costUsd > cut.costUsd ? seen : cut;
  }
}

function sumOf(sum: typeof NOTHING, usage: AnswerUsage): typeof NOTHING {
  return {
    inputTokens: sum.inputTokens + usage.input,
    outputTokens: sum.outputTokens + usage.output,
    cacheReadTokens: sum.cacheReadTokens + usage.cacheRead,
    cacheWriteTokens: sum.cacheWriteTokens + usage.cacheWrite + usage.cacheWriteLong,
    costUsd: sum.costUsd + usage.costUsd,
  };
}
