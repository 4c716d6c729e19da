import type { HaltCode } from '../../domain/issue/halt-codes.js';
import type { Judgement } from './judgement.js';
import type { PromptInputs } from './phase-context.js';
import type { PhaseResult } from './phase-result.js';
import type { PhaseRun } from './phase-run.js';
import type { PhaseContext } from './prompt.js';

/** Everything that makes a phase. `Facts` is what a result is judged by: the context, unless the phase checks the work itself. */
export interface PhaseDefinition<Context extends PhaseContext, Result, Facts = Context> {
  /** What the agent is told, read without running anything; `null` when the issue has not come that far. */
  context(inputs: PromptInputs): Promise<Context | null>;
  /** The exact prompt. */
  render(context: Context): string;
  /** The JSON schema of the agent's result. */
  readonly schema: object;
  /** Decides what the agent's result comes to. */
  judge(result: unknown, facts: Facts): Judgement<Result>;
  /** The halt code when the agent has questions for a person. Default: `blocked`. */
  readonly questionsCode?: HaltCode;
  /** Runs the phase from its context to its result. */
  run(run: PhaseRun, context: Context): Promise<PhaseResult>;
}

/** A phase whose types are not known here. It may only be given a context that it made itself. */
export type AnyPhase = PhaseDefinition<PhaseContext, unknown, unknown>;
