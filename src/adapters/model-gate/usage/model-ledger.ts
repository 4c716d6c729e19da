import type { ModelTrouble, ModelUsage } from '../../../ports/model-gate.js';
import { isPriced } from './model-prices.js';
import { type AnswerUsage, withCost, type UsageMeter } from './usage-meter.js';

/** A request that is under way. */
export interface OpenRequest {
  /** Its answer has begun; from now on this counts it. */
  answers(meter: UsageMeter): void;
  /** It is over. `cut` is what it counts for, at least, as far as the API did not come to say what it used. */
  close(cut?: AnswerUsage | null): void;
}

interface Open {
  /** Set aside for it. */
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

/** The books of one run: what each answer used, those that are still coming included. */
export class ModelLedger {
  readonly #open = new Set<Open>();
  readonly #models = new Set<string>();
  #counted = NOTHING;
  #requests = 0;
  #trouble: ModelTrouble | null = null;
  readonly #onUnpriced: (model: string) => void;
  readonly #unpriced = new Set<string>();

  readonly #onCost: (costUsd: number) => void;

  /** `onUnpriced` is told once of each model whose price is a guess, `onCost` what each answer cost once it is over. */
  constructor(onUnpriced: (model: string) => void, onCost: (costUsd: number) => void = () => undefined) {
    this.#onUnpriced = onUnpriced;
    this.#onCost = onCost;
  }

  /** A request goes to the API. `onClose` is told when it is over and counted. */
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

  /** The newest word stands: a good answer takes back what was wrong before. Only spent money stays spent. */
  found(trouble: ModelTrouble | null): void {
    if (this.#trouble?.kind !== 'over-budget') this.#trouble = trouble;
  }

  trouble(): ModelTrouble | null {
    return this.#trouble;
  }

  openRequests(): number {
    return this.#open.size;
  }

  /** What was spent, and what is set aside for requests that are under way. */
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

/** What the API said stands. For what it came not to say, the larger of what was seen of the answer and what it can have cost. */
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
