/** What an agent run cost and did, whatever its end. */
export interface RunFigures {
  readonly turns: number;
  readonly costUsd: number;
  readonly ms: number;
  readonly model: string | null;
  readonly sessionId: string | null;
}

/** How an agent run ended. Judged by structured fields only, never by exit code or prose. */
export type AgentOutcome = { readonly figures: RunFigures } & (
  | { readonly kind: 'succeeded' /** Checked against the schema and the nonce. */; readonly result: unknown }
  /** It ended well and left no result. */
  | { readonly kind: 'no-op' }
  /** A result of another run, or one that does not fit the schema. */
  | { readonly kind: 'invalid-result'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'turn-capped' }
  | { readonly kind: 'over-budget' }
  | { readonly kind: 'timed-out' }
  /** Usage limit, overload, network: the work never had a chance. */
  | { readonly kind: 'unavailable'; readonly why: string }
  | { readonly kind: 'auth'; readonly why: string }
  | { readonly kind: 'stopped' }
  /** The process died without a word. */
  | { readonly kind: 'lost'; readonly why: string }
);
