import type { Handoff } from './handoff.js';
import type { Instant } from '../issue/instant.js';

/** What an agent run cost and did, however it ended. */
export interface RunFigures {
  readonly turns: number;
  /** Counted from the model's own answers, so a killed run is counted too. */
  readonly costUsd: number;
  /** The cost the agent reports, for comparison; `null` when a step ended before it could report. */
  readonly reportedUsd: number | null;
  readonly ms: number;
  /** The part of `ms` that was spent waiting because the API asked for it. */
  readonly waitedMs: number;
  /** The model that answered last. */
  readonly model: string | null;
  /** All models that answered, in the order of their first answer. */
  readonly models: readonly string[];
  /** The session to resume. */
  readonly sessionId: string | null;
  readonly tokens: RunTokens;
  /** Processes of the agent, one after the other. */
  readonly steps: number;
  /** Steps that resumed the session of the previous step. */
  readonly resumes: number;
  readonly compactions: number;
  /** The most processes seen at once, the agent's commands included. */
  readonly processes: number;
  /** The most memory they were seen to use together. */
  readonly maxRssMb: number;
}

/** Tokens by how they are billed. */
export interface RunTokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** The figures of a run that has not done anything yet. */
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

/** What caused a failure. */
export type FailureCause =
  /** The agent's tools, the sandbox or the clone broke. */
  | 'tool'
  /** The model refused, or the API refused the content of the request. */
  | 'model'
  /** A result of another run, or one that does not fit the schema. */
  | 'invalid-result'
  /** The agent was denied something it needs. */
  | 'permission'
  /** Its processes exceeded the sandbox limits. */
  | 'limits';

/** How an agent run ended. Judged only by structured fields and artefacts: exit codes and prose are unreliable. */
export type AgentOutcome = {
  readonly figures: RunFigures;
  /** What the next agent should know; `null` when the run did not get far enough. */
  readonly handoff: Handoff | null;
} & (
  | { readonly kind: 'succeeded' /** Checked against the schema and the nonce. */; readonly result: unknown }
  /** It ended normally, but without a result or without the commits or files that the phase must produce. */
  | { readonly kind: 'no-op' }
  | { readonly kind: 'failed'; readonly cause: FailureCause; readonly why: string }
  /** A part of the work is done; the next run continues. */
  | { readonly kind: 'turn-capped' }
  /** The time limit of the phase, or the active time of the run, is used up. */
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'over-budget'; readonly why: string }
  /** It got less than its own budget because little of the day's budget was left, and used that up. The next run starts when there is more. */
  | { readonly kind: 'day-budget'; readonly why: string }
  /** It stayed silent after every nudge. */
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
  /** No process may start now, because somebody stopped the service or the repository. */
  | { readonly kind: 'held'; readonly why: string }
  | { readonly kind: 'stopped' }
  /** The process died without reporting anything, or could not be started. */
  | { readonly kind: 'lost'; readonly why: string }
);

/** An outcome without the fields that all outcomes share. */
export type OutcomeVerdict = AgentOutcome extends infer Each
  ? Each extends AgentOutcome
    ? Omit<Each, 'figures' | 'handoff'>
    : never
  : never;
