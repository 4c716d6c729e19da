import type { HaltCode } from '../../domain/issue/halt-codes.js';
import type { Judgement } from './judgement.js';
import type { PromptInputs } from './phase-context.js';
import type { PhaseResult } from './phase-result.js';
import type { PhaseRun } from './phase-run.js';
import type { PhaseContext } from './prompt.js';

/** A phase. `Facts` is what a result is judged by: the context, unless the phase checks the work itself. */
export interface PhaseDefinition<Context extends PhaseContext, Result, Facts = Context> {
  /** What the prompt is made from, read without running anything; `null` when the issue is not that far yet. */
  context(inputs: PromptInputs): Promise<Context | null>;
  /** The exact prompt. */
  render(context: Context): string;
  /** The JSON schema of the agent's result. */
  readonly schema: object;
  /** Judges the agent's result. */
  judge(result: unknown, facts: Facts): Judgement<Result>;
  /** The halt code when the agent has questions for a person. Default: `blocked`. */
  readonly questionsCode?: HaltCode;
  /** Runs the phase from its context to its result. */
  run(run: PhaseRun, context: Context): Promise<PhaseResult>;
}

/** A phase with erased types. Give it only a context that it made itself. */
export type AnyPhase = PhaseDefinition<PhaseContext, unknown, unknown>;
