import { z } from 'zod';
import type { CriterionResult } from '../../../domain/criteria/criterion.js';
import { type Finding, formatFinding, mustFindings, SEVERITIES } from '../../../domain/issue/finding.js';
import type { Oid } from '../../../domain/issue/ids.js';
import type { ReviewDepth } from '../../../domain/issue/route.js';
import type { ReviewRecord } from '../../../domain/state/review-record.js';
import type { Spec, Triage } from '../../../domain/state/state.js';
import { visibleText } from '../../../domain/sanitise/neutralise.js';
import { criteriaBlock, resultsBlock, specBlock } from '../prompt-blocks.js';
import { hasCitation } from '../../../domain/gates/citation.js';
import { accept, common, jsonSchema, type Judgement, judgeResult, paragraph, reject, sentence } from '../judgement.js';
import { list, type PhaseContext, renderPrompt } from '../prompt.js';
import {
  belowFloor,
  DIMENSION_IDS,
  DIMENSIONS,
  REVIEW_THRESHOLD,
  type Scores,
  scoreTable,
  weakest,
  weightedScore,
} from '../../../domain/gates/review-score.js';

/* Review: the model finds and scores; this code decides what follows. */

const score = z.strictObject({
  score: z.number().min(0).max(1),
  evidence: sentence.describe('What the score rests on: path:line, or a command in backticks with its exit code.'),
});

const resultSchema = z.strictObject({
  ...common,
  summary: paragraph.describe('The verdict in a few sentences, for people.'),
  findings: z
    .array(
      z.strictObject({
        severity: z.enum(SEVERITIES),
        file: sentence,
        line: z.number().int().positive().nullable(),
        text: sentence.describe('What is wrong, when it shows, and what would put it right.'),
      }),
    )
    .max(50),
  scores: z.strictObject({ d1: score, d2: score, d3: score, d4: score, d5: score, d6: score }),
});

export interface ReviewContext extends PhaseContext {
  readonly triage: Triage;
  readonly spec: Spec | null;
  readonly depth: ReviewDepth;
  readonly head: Oid;
  /** Findings of the previous round, on an older head. */
  readonly earlier: readonly Finding[];
  /** Results of criteria with a command, on this head. */
  readonly results: readonly CriterionResult[];
}

export const reviewSchema = jsonSchema(resultSchema);

export function renderReview(context: ReviewContext): string {
  const { triage, spec, depth, head, earlier, results, base } = context;
  return renderPrompt('review', context, {
    facts: [`Depth: ${depth}`, `Head: ${head}`, `The change: git diff ${base.oid}...${head}`],
    blocks: [
      { name: 'summary', text: triage.summary },
      criteriaBlock(triage.criteria),
      specBlock(spec),
      resultsBlock(results),
      { name: 'earlier-findings', text: list(earlier.map(formatFinding)) },
    ],
  });
}

export function judgeReview(
  result: unknown,
  { head, results }: Pick<ReviewContext, 'head' | 'results'>,
): Judgement<ReviewRecord> {
  return judgeResult(resultSchema, result, ({ summary, findings: found, scores }) => {
    const unproved = DIMENSION_IDS.filter((id) => !hasCitation(scores[id].evidence));
    if (unproved.length > 0) {
      return reject(
        ...unproved.map(
          (id) =>
            `${id.toUpperCase()} ${DIMENSIONS[id].name} has no evidence: cite path:line, or a command in backticks with its exit code.`,
        ),
      );
    }
    const total = weightedScore(scores);
    const findings = [
      ...found,
      ...failedCriteria(results),
      ...lowScores(scores, total, mustFindings(found).length > 0),
    ];
    const verdict = mustFindings(findings).length > 0 ? 'fix' : 'pass';
    return accept({ head, verdict, findings, score: total, summary: `${summary}\n\n${scoreTable(scores)}` });
  });
}

function failedCriteria(results: readonly CriterionResult[]): Finding[] {
  return results
    .filter(({ verdict }) => verdict === 'FAIL')
    .map(({ id, evidence }) => ({
      severity: 'MUST',
      file: id,
      line: null,
      text: `criterion ${id} does not hold: ${visibleText(evidence)}`,
    }));
}

/** Makes a finding of each score that is too low, because it must say what to do about it. */
function lowScores(scores: Scores, total: number, hasMust: boolean): Finding[] {
  const low = belowFloor(scores);
  const named = low.length === 0 && total < REVIEW_THRESHOLD && !hasMust ? [weakest(scores)] : low;
  return named.map((id) => ({
    severity: 'MUST',
    file: DIMENSIONS[id].name,
    line: null,
    text: `${id.toUpperCase()} ${DIMENSIONS[id].name} is ${scores[id].score.toFixed(2)} (all together ${total.toFixed(2)}, at least ${REVIEW_THRESHOLD} is needed): ${scores[id].evidence}`,
  }));
}
