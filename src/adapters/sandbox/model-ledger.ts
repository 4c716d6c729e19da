import type { ModelAnswer, ModelUsage } from '../../ports/model-gate.js';
import type { AnswerUsage, UsageMeter } from './usage-meter.js';

const LIMIT_HEADER = /^anthropic-ratelimit-/;

/** The books of one run: what each answer used, those that are still coming included. */
export class ModelLedger {
  readonly #open = new Set<UsageMeter>();
  readonly #done: AnswerUsage[] = [];
  #requests = 0;
  #last: ModelAnswer | null = null;

  requested(): void {
    this.#requests += 1;
  }

  answered(at: number, status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void {
    const limits = Object.entries(headers).filter(([name]) => LIMIT_HEADER.test(name));
    const retryAfter = Number(headers['retry-after'] ?? Number.NaN);
    this.#last = {
      at,
      status,
      retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
      limits: Object.fromEntries(limits.map(([name, value]) => [name, String(value)])),
    };
  }

  /** Starts to count an answer; the returned function closes it, whole or not. */
  count(meter: UsageMeter): () => void {
    this.#open.add(meter);
    return () => {
      if (!this.#open.delete(meter)) return;
      const usage = meter.usage();
      if (usage !== null) this.#done.push(usage);
    };
  }

  lastAnswer(): ModelAnswer | null {
    return this.#last;
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
}
