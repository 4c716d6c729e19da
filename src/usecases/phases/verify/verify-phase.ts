import { shortOid } from '../../../domain/issue/ids.js';
import type { CriterionResult } from '../../../domain/criteria/criterion.js';
import { formatCount } from '../../../domain/render/phrases/figures.js';
import { landedCommit, stateOf } from '../../../domain/state/evidence.js';
import type { Handoff } from '../../../domain/agent/handoff.js';
import type { Landed } from '../../../domain/state/state.js';
import { checkCriteria } from '../check-criteria.js';
import type { PhaseDefinition } from '../definition.js';
import { phaseContext, type PromptInputs } from '../phase-context.js';
import { doneResult, type PhaseResult } from '../phase-result.js';
import { type PhaseRun, withClone } from '../phase-run.js';
import { runInClone } from '../run-in-clone.js';
import { criteriaToJudge, judgeVerify, renderVerify, type VerifyContext, verifySchema } from './judge-verify.js';

/** The state needs more of the landed commit than the prompt. */
interface LandedContext extends VerifyContext {
  readonly landed: Landed;
}

export const verifyPhase: PhaseDefinition<LandedContext, readonly CriterionResult[]> = {
  context: verifyContext,
  render: renderVerify,
  schema: verifySchema,
  judge: judgeVerify,
  run: runVerify,
};

/** Results of commands are added later, because they need a clone. `null` when nothing has landed. */
async function verifyContext(inputs: PromptInputs): Promise<LandedContext | null> {
  const { triage } = stateOf(inputs.snapshot).progress;
  const landed = landedCommit(inputs.snapshot);
  if (triage === null || landed === null) return null;
  return { ...(await phaseContext(inputs)), triage, landed, oid: landed.oid, results: [] };
}

async function runVerify(run: PhaseRun, prepared: LandedContext): Promise<PhaseResult> {
  const { triage, landed } = prepared;
  return withClone(run, 'work', landed.oid, async (clone) => {
    const results = await checkCriteria(run, clone, triage.criteria);
    if (criteriaToJudge(triage).length === 0) return verifiedResult(landed, results, prepared.handoff);
    return runInClone(run, clone, {
      definition: verifyPhase,
      context: { ...prepared, results },
      finish: (judged, handoff) => verifiedResult(landed, judged, handoff),
    });
  });
}

function verifiedResult(landed: Landed, results: readonly CriterionResult[], handoff: Handoff | null): PhaseResult {
  const { oid } = landed;
  const passed = results.filter(({ verdict }) => verdict === 'PASS').length;
  const because = `${passed} of ${formatCount(results.length, 'criterion holds', 'criteria hold')} on ${shortOid(oid)}`;
  // When every criterion holds, the same swap that records the results ends the run.
  const done = results.every(({ verdict }) => verdict === 'PASS' || verdict === 'SKIPPED') ? landed : null;
  return doneResult(because, handoff, { verify: { oid, results }, done });
}
