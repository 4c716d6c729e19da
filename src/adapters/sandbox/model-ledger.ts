import type { ModelTrouble, ModelUsage } from '../../ports/model-gate.js';
import { isPriced } from './model-prices.js';
import type { AnswerUsage, UsageMeter } from './usage-meter.js';

/** The books of one run: what each answer used, those that are still coming included. */
export class ModelLedger {
  readonly #open = new Set<UsageMeter>();
  readonly #done: AnswerUsage[] = [];
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

  requested(): void {
    this.#requests += 1;
  }

  /** The newest word stands: a good answer takes back what was wrong before. Only spent money stays spent. */
  found(trouble: ModelTrouble | null): void {
    if (this.#trouble?.kind !== 'over-budget') this.#trouble = trouble;
  }

  /** Starts to count an answer; the returned function closes it, whole or not. */
  count(meter: UsageMeter): () => void {
    this.#open.add(meter);
    return () => {
      if (!this.#open.delete(meter)) return;
      const usage = meter.usage();
      if (usage === null) return;
      this.#done.push(usage);
      this.#onCost(usage.costUsd);
      this.#checkPrice(usage.model);
    };
  }

  trouble(): ModelTrouble | null {
    return this.#trouble;
  }

  usage(): ModelUsage {
    const coming = [...this.#open].map((meter) => meter.usage()).filter((usage) => usage !== null);
    const answers = [...this.#done, ...coming];
    const sum = (of: (answer: AnswerUsage) => number): number =>
      answers.reduce((total, answer) => total + of(answer), 0);
    return {
      requests: this.#requests,
      inputTokens: sum((answer) => answer.input),
      outputTokens: sum((answer) => answer.output),
      cacheReadTokens: sum((answer) => answer.cacheRead),
      cacheWriteTokens: sum((answer) => answer.cacheWrite + answer.cacheWriteLong),
      costUsd: sum((answer) => answer.costUsd),
      models: [...new Set(answers.map((answer) => answer.model))],
    };
  }

  #checkPrice(model: string): void {
    if (isPriced(model) || this.#unpriced.has(model)) return;
    this.#unpriced.add(model);
    this.#onUnpriced(model);
  }
}
