import type { Handoff } from '../../domain/agent/handoff.js';
import type { Clone } from '../../ports/workspace.js';
import { resultOfJudgement, resultOfOutcome } from './agent-result.js';
import type { PhaseDefinition } from './definition.js';
import type { PhaseResult } from './phase-result.js';
import type { PhaseRun } from './phase-run.js';
import type { PhaseContext } from './prompt.js';
import { runAgent } from './run-agent.js';

/** The agent's task, and what an accepted result means. */
interface Assignment<Context extends PhaseContext, Result> {
  readonly definition: PhaseDefinition<Context, Result>;
  readonly context: Context;
  readonly finish: (value: Result, handoff: Handoff) => PhaseResult;
}

/** Runs the agent of a phase in a clone and judges its result. This is the whole run of a phase that leaves no commit. */
export async function runInClone<Context extends PhaseContext, Result>(
  run: PhaseRun,
  clone: Clone,
  { definition, context, finish }: Assignment<Context, Result>,
): Promise<PhaseResult> {
  const { schema, questionsCode } = definition;
  const outcome = await runAgent(run, clone, { prompt: definition.render(context), schema, nonce: context.nonce });
  if (outcome.kind !== 'succeeded') return resultOfOutcome(outcome);
  const judgement = definition.judge(outcome.result, context);
  if (judgement.kind !== 'accepted') return resultOfJudgement(judgement, questionsCode);
  return finish(judgement.value, judgement.handoff);
}
