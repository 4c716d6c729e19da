import type { AgentPhase } from '../../domain/issue/phase.js';
import type { AnyPhase } from './definition.js';
import type { PromptInputs } from './phase-context.js';
import { PHASES } from './phases.js';

/** The prompt a phase would get now, as the phase run makes it; `null` when the issue has not come that far. */
export async function renderPhase(inputs: PromptInputs, phase: AgentPhase): Promise<string | null> {
  const definition: AnyPhase = PHASES[phase];
  const context = await definition.context(inputs);
  return context === null ? null : definition.render(context);
}
