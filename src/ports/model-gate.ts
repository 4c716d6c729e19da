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

/** What stands between a run and the model, read off the API's answers: status, headers and the type of the error. */
export type ModelTrouble =
  /** The account's usage limit. `until` is when it resets, where the API said so. */
  | { readonly kind: 'quota'; readonly until: Instant | null }
  /** Too many requests; not the account's allowance. */
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null; readonly why: string }
  /** Overloaded, broken, or out of reach. */
  | { readonly kind: 'provider-down'; readonly why: string }
  /** The credential is not accepted, or not for this. */
  | { readonly kind: 'auth'; readonly why: string }
  /** The credential is good, but nobody pays for it. */
  | { readonly kind: 'billing'; readonly why: string }
  /** The conversation is larger than the API takes. */
  | { readonly kind: 'context-overflow' }
  | { readonly kind: 'model-missing'; readonly why: string }
  /** The run spent what it was admitted with: said by the gate itself. */
  | { readonly kind: 'over-budget'; readonly why: string };

/** What a run is admitted with. */
export interface Allowance {
  /**
   * What it may spend, at list prices; `null` for no bound. Each request sets aside what it can cost before it is passed on; while anything
   * is left one of them is, so that the last answer can go beyond it.
   */
  readonly budgetUsd: number | null;
}

/** One run's way to the model. The real credential is never part of it. */
export interface ModelPass {
  /** What the run's environment must hold to use it. */
  readonly env: Readonly<Record<string, string>>;
  /** What its sandbox must show. */
  readonly mounts: readonly Mount[];
  usage(): ModelUsage;
  /** What the newest answer says is wrong; `null` when it was a good one, or when nothing was asked yet. */
  trouble(): ModelTrouble | null;
  /** Ends the pass: what still uses it is cut off. The figures stay. */
  close(): Promise<void>;
}

/** Lets runs talk to the model without holding its credential. */
export interface ModelGate {
  /** Without an allowance a run may spend what it likes. */
  admit(run: string, allowance?: Allowance): Promise<ModelPass>;
}
