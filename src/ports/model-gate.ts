import type { Instant } from '../domain/issue/instant.js';
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

/** Why a run gets no answer from the model, read from the API's status, headers and error type. */
export type ModelTrouble =
  /** The account's usage limit. `until` is when it resets, where the API said so. */
  | { readonly kind: 'quota'; readonly until: Instant | null }
  /** Too many requests at once, not the account's usage limit. */
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null; readonly why: string }
  /** Overloaded, broken, or out of reach. */
  | { readonly kind: 'provider-down'; readonly why: string }
  /** The credential is not accepted, or not for this model or action. */
  | { readonly kind: 'auth'; readonly why: string }
  /** The credential is valid, but its account is not paid for. */
  | { readonly kind: 'billing'; readonly why: string }
  /** The conversation is larger than the API takes. */
  | { readonly kind: 'context-overflow' }
  | { readonly kind: 'model-missing'; readonly why: string }
  /** The run has spent its allowance. The gate itself reports this. */
  | { readonly kind: 'over-budget'; readonly why: string };

/** What a run is admitted with. */
export interface Allowance {
  /**
   * What it may spend, at list prices; `null` for no limit. Each request reserves its highest possible cost before it is passed on. While
   * any money is left, one request is passed on, so the last answer can exceed the limit.
   */
  readonly budgetUsd: number | null;
}

/** One run's access to the model. It never contains the real credential. */
export interface ModelPass {
  /** Environment variables the run needs to use it. */
  readonly env: Readonly<Record<string, string>>;
  /** Paths that must be visible in its sandbox. */
  readonly mounts: readonly Mount[];
  usage(): ModelUsage;
  /** The problem in the newest answer; `null` when it was good or there was no request yet. */
  trouble(): ModelTrouble | null;
  /** Ends the access and all open requests. The figures stay. */
  close(): Promise<void>;
}

/** Lets runs talk to the model without holding its credential. */
export interface ModelGate {
  /** Without an allowance a run has no limit. */
  admit(run: string, allowance?: Allowance): Promise<ModelPass>;
}
