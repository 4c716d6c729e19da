import { z } from 'zod';
import { type Criterion, type CriterionResult, VERDICTS } from '../../../domain/criteria/criterion.js';
import type { Oid } from '../../../domain/issue/ids.js';
import type { Triage } from '../../../domain/state/state.js';
import { criteriaBlock, resultsBlock } from '../prompt-blocks.js';
import { hasCitation } from '../../../domain/gates/citation.js';
import { accept, common, jsonSchema, type Judgement, judgeResult, reject } from '../judgement.js';
import { type PhaseContext, renderPrompt } from '../prompt.js';

/* Verify: criteria without a command, judged with evidence at the landed commit. */

const resultSchema = z.strictObject({
  ...common,
  results: z
    .array(
      z.strictObject({
        id: z.string().describe('c1, c2…'),
        verdict: z.enum(VERDICTS),
        evidence: z
          .string()
          .trim()
          .max(1000)
          .describe(
            'path:line, or a command in backticks with its exit code and what it printed; for UNCERTAIN, what a person has to look at.',
          ),
      }),
    )
    .max(50),
});

export interface VerifyContext extends PhaseContext {
  readonly triage: Triage;
  /** The landed commit, which is checked out. */
  readonly oid: Oid;
  /** Results of the criteria with a command, on that commit. */
  readonly results: readonly CriterionResult[];
}

export const verifySchema = jsonSchema(resultSchema);

/** The criteria a model must judge. Without any, the phase needs no agent. */
export function criteriaToJudge({ criteria }: Triage): readonly Criterion[] {
  return criteria.filter(({ verify }) => verify === null);
}

export function renderVerify(context: VerifyContext): string {
  const { triage, oid, results } = context;
  const open = criteriaToJudge(triage).map(({ id }) => id);
  return renderPrompt('verify', context, {
    facts: [`Landed commit: ${oid}`, `To judge: ${open.join(', ')}`],
    blocks: [{ name: 'summary', text: triage.summary }, criteriaBlock(triage.criteria), resultsBlock(results)],
  });
}

/** All results in the order of the criteria: those of commands and those the model judged. */
export function judgeVerify(
  result: unknown,
  { triage, results }: Pick<VerifyContext, 'triage' | 'results'>,
): Judgement<readonly CriterionResult[]> {
  return judgeResult(resultSchema, result, ({ results: judged }) => {
    const open = criteriaToJudge(triage);
    const byId = new Map(judged.map((entry) => [entry.id, entry]));
    const reasons = open.flatMap(({ id }) => problemWith(id, byId.get(id)));
    if (reasons.length > 0) return reject(...reasons);
    const known = new Map(results.map((entry) => [entry.id, entry]));
    return accept(
      triage.criteria.map(({ id, verify }) => (verify === null ? byId.get(id) : known.get(id)) ?? uncheckedResult(id)),
    );
  });
}

const uncheckedResult = (id: string): CriterionResult => ({
  id,
  verdict: 'UNCERTAIN',
  evidence: 'its command was not run',
});

function problemWith(id: string, result: CriterionResult | undefined): string[] {
  if (result === undefined) return [`${id} has no verdict.`];
  if (result.evidence === '') return [`${id} is ${result.verdict} without evidence.`];
  if (result.verdict === 'PASS' && !hasCitation(result.evidence))
    return [`${id} is PASS, but the evidence cites neither path:line nor a command in backticks with its exit code.`];
  return [];
}
