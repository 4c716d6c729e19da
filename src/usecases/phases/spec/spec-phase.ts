import { formatCount } from '../../../domain/render/phrases/figures.js';
import { sizeOf, stateOf } from '../../../domain/state/evidence.js';
import type { PhaseDefinition } from '../definition.js';
import { phaseContext, type PromptInputs } from '../phase-context.js';
import { doneResult, type PhaseResult } from '../phase-result.js';
import { type PhaseRun, withClone } from '../phase-run.js';
import { runInClone } from '../run-in-clone.js';
import { type JudgedSpec, judgeSpec, renderSpec, type SpecContext, specSchema } from './judge-spec.js';

export const specPhase: PhaseDefinition<SpecContext, JudgedSpec> = {
  context: specContext,
  render: renderSpec,
  schema: specSchema,
  judge: judgeSpec,
  run: runSpec,
};

/** `null` before triage. */
async function specContext(inputs: PromptInputs): Promise<SpecContext | null> {
  const { triage } = stateOf(inputs.snapshot).progress;
  if (triage === null) return null;
  return { ...(await phaseContext(inputs)), triage, size: sizeOf(inputs.snapshot) ?? triage.size };
}

async function runSpec(run: PhaseRun, context: SpecContext): Promise<PhaseResult> {
  const { triage } = context;
  return withClone(run, 'work', run.snapshot.base.head, (clone) =>
    runInClone(run, clone, {
      definition: specPhase,
      context,
      finish: ({ spec, size }, handoff) => {
        const resized = size === null ? '' : `, size ${triage.size} became ${size}`;
        const because = `${formatCount(spec.steps.length, 'step')} in ${formatCount(spec.files.length, 'file')}${resized}`;
        return doneResult(because, handoff, { triage: { ...triage, size: size ?? triage.size }, spec });
      },
    }),
  );
}
