import type { AgentOutcome } from '../domain/agent/outcome.js';
import type { AgentPhase } from '../domain/issue/phase.js';
import type { WatchLimits } from '../domain/agent/supervision-limits.js';
import type { Instant } from '../domain/issue/instant.js';
import type { Clone } from './workspace.js';

/** Which model does the work. */
export interface AgentModel {
  /** `null` leaves the choice to the agent. */
  readonly id: string | null;
  /** The model used while `id` is overloaded. */
  readonly fallback: string | null;
  /** The size of its context window in tokens. */
  readonly windowTokens: number;
}

/** What one run may use, all of its steps together. */
export interface AgentLimits {
  readonly maxTurns: number;
  readonly budgetUsd: number | null;
  /** Active time: waiting that the API asked for does not count. */
  readonly capMs: number;
  /** Overrides of the usual supervision limits. */
  readonly watch?: Partial<WatchLimits>;
}

/** Something a live run just did. For people who watch, never for judging the run. */
export interface AgentActivity {
  readonly at: Instant;
  readonly kind: /** A process was started: the first, a resumed one, or one that starts over. */
    | 'step'
    /** The process has started and sent its first event. */
    | 'up'
    /** The model said something. */
    | 'message'
    /** The model uses a tool. */
    | 'tool'
    /** The API asks to wait. */
    | 'wait';
  /** A few words: what was said, the tool's name, why there is another step. */
  readonly text: string;
}

export interface AgentJob {
  readonly phase: AgentPhase;
  readonly phaseRun: string;
  /** Echoed by the result: proof that it answers this run. */
  readonly nonce: string;
  readonly prompt: string;
  /** JSON schema of the result. */
  readonly schema: object;
  readonly clone: Clone;
  readonly model: AgentModel;
  readonly limits: AgentLimits;
  readonly signal: AbortSignal;
  /** Checks for the commits or files that the phase must produce: a few words about what is missing, or `null`. */
  readonly missing?: (result: unknown) => Promise<string | null>;
  /** Called right before every process, also resumed and fresh ones: `null`, or why none may start now. */
  readonly mayStart?: () => Promise<string | null>;
  readonly onActivity?: (activity: AgentActivity) => void;
}

/** Runs a model on a clone. Every ending is a value, not an exception. When it resolves, no process is left. */
export interface Agent {
  run(job: AgentJob): Promise<AgentOutcome>;
}
