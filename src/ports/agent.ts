import type { AgentOutcome } from '../domain/outcome.js';
import type { AgentPhase } from '../domain/phase.js';
import type { Clone } from './workspace.js';

export interface AgentJob {
  readonly phase: AgentPhase;
  readonly phaseRun: string;
  /** Echoed by the result: proof that it answers this run. */
  readonly nonce: string;
  readonly prompt: string;
  /** JSON schema of the result. */
  readonly schema: object;
  readonly clone: Clone;
  readonly model: string | null;
  readonly maxTurns: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Runs a model on a clone. Every ending is a value; when it resolves, no process is left. */
export interface Agent {
  run(job: AgentJob): Promise<AgentOutcome>;
}
