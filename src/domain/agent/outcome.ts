import type { Handoff } from './handoff.js';
import type { Instant } from '../issue/instant.js';

/** What an agent run cost and did, whatever its end. */
export interface RunFigures {
  readonly turns: number;
  /** Counted from the model's own answers, so a killed run is counted too. */
  readonly costUsd: number;
  /** What the agent says it cost, to compare; `null` when a step was ended before it could say. */
  readonly reportedUsd: number | null;
  readonly ms: number;
  /** The part of `ms` that was spent waiting because the API asked for it. */
  readonly waitedMs: number;
  /** The model that answered last. */
  readonly model: string | null;
  /** All that answered, in the order of their first answer. */
  readonly models: readonly string[];
  /** The session to go on with. */
  readonly sessionId: string | null;
  readonly tokens: RunTokens;
  /** Processes of the agent, one after the other. */
  readonly steps: number;
  /** Steps that went on with the session of the one before. */
  readonly resumes: number;
  readonly compactions: number;
  /** The most processes seen at once, the agent's commands included. */
  readonly processes: number;
  /** The most memory they were seen to hold together. */
  readonly maxRssMb: number;
}

/** Tokens by how they are billed. */
export interface RunTokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Of a run that has not come to anything yet. */
export const NO_FIGURES: RunFigures = {
  turns: 0,
  costUsd: 0,
  reportedUsd: null,
  ms: 0,
  waitedMs: 0,
  model: null,
  models: [],
  sessionId: null,
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  steps: 0,
  resumes: 0,
  compactions: 0,
  processes: 0,
  maxRssMb: 0,
};

/** Whose fault a failure is. */
export type FailureCause =
  /** The agent's tools, the sandbox or the clone broke. */
  | 'tool'
  /** The model refused, or its request was refused for what it says. */
  | 'model'
  /** A result of another run, or one that does not fit the schema. */
  | 'invalid-result'
  /** The agent was denied something it needs. */
  | 'permission'
  /** What it started took more of the machine than it may. */
  | 'limits';

/** How an agent run ended. Judged by structured fields and artefacts only, never by exit code or prose. */
export type AgentOutcome = {
  readonly figures: RunFigures;
  /** What whoever goes on should know; of every run that got far enough to have something to say. */
  readonly handoff: Handoff | null;
} & (
  | { readonly kind: 'succeeded' /** Checked against the schema and the nonce. */; readonly result: unknown }
  /** It ended well and left no result, or a result without what the phase is there to make. */
  | { readonly kind: 'no-op' }
  | { readonly kind: 'failed'; readonly cause: FailureCause; readonly why: string }
  /** A slice of the work is done; the next run goes on. */
  | { readonly kind: 'turn-capped' }
  /** The hard cap of the phase, or the active time of the run. */
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'over-budget'; readonly why: string }
  /** It got less than its own budget since little was left of the day's, and used that up: the next run goes on when there is more. */
  | { readonly kind: 'day-budget'; readonly why: string }
  /** Silent through every nudge it may get. */
  | { readonly kind: 'stalled'; readonly why: string }
  /** The same message again and again. */
  | { readonly kind: 'looped' }
  /** The work does not fit the model's window, not even in a fresh session. */
  | { readonly kind: 'context-overflow' }
  /** The account's usage limit. `until` is when it resets, where the provider said so. */
  | { readonly kind: 'quota'; readonly until: Instant | null }
  /** Too many requests at once; no reset was named. */
  | { readonly kind: 'throttled'; readonly why: string }
  | { readonly kind: 'provider-down'; readonly why: string }
  | { readonly kind: 'auth'; readonly why: string }
  | { readonly kind: 'billing'; readonly why: string }
  /** No process may start now: somebody has stopped the service or the repository. */
  | { readonly kind: 'held'; readonly why: string }
  | { readonly kind: 'stopped' }
  /** The process died without a word, or could not be started. */
  | { readonly kind: 'lost'; readonly why: string }
);

/** An outcome without what every one has. */
export type OutcomeVerdict = AgentOutcome extends infer Each
  ? Each extends AgentOutcome
    ? Omit<Each, 'figures' | 'handoff'>
    : never
  : never;
