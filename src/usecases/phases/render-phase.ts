import type { AgentPhase } from '../../domain/issue/phase.js';
import type { AnyPhase } from './definition.js';
import type { PromptInputs } from './phase-context.js';
import { PHASES } from './phases.js';

/** The prompt that a run of this phase would get now; `null` when the issue is not that far yet. */
export async function renderPhase(inputs: PromptInputs, phase: AgentPhase): Promise<string | null> {
  const definition: AnyPhase = PHASES[phase];
  const context = await definition.context(inputs);
  return context === null ? null : definition.render(context);
}
