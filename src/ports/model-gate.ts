import type { Instant } from './clock.js';
import type { Mount } from './sandbox.js';

/** What a run used of the model, counted from the model's own answers, also when the run was killed. */
export interface ModelUsage {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** At list prices. */
  readonly costUsd: number;
  /** The models that answered, in the order of their first answer. */
  readonly models: readonly string[];
}

/** What the API said besides the answer itself. */
export interface ModelAnswer {
  readonly at: Instant;
  readonly status: number;
  /** Seconds the API asks to wait. */
  readonly retryAfter: number | null;
  /** The `anthropic-ratelimit-*` headers, by name. */
  readonly limits: Readonly<Record<string, string>>;
}

/** One run's way to the model. The real credential is never part of it. */
export interface ModelPass {
  /** What the run's environment must hold to use it. */
  readonly env: Readonly<Record<string, string>>;
  /** What its sandbox must show. */
  readonly mounts: readonly Mount[];
  usage(): ModelUsage;
  /** The newest answer, or `null` when the API has not been reached. */
  lastAnswer(): ModelAnswer | null;
  /** Ends the pass: what still uses it is cut off. The figures stay. */
  close(): Promise<void>;
}

/** Lets runs talk to the model without holding its credential. */
export interface ModelGate {
  admit(run: string): Promise<ModelPass>;
}
