import { z } from 'zod';
import {
  type Box,
  type Criterion,
  formatVerify,
  formatMalformedVerify,
  MAX_CRITERIA,
  parseVerify,
} from '../../../domain/criteria/criterion.js';
import { SIZES } from '../../../domain/issue/size.js';
import type { Triage } from '../../../domain/state/state.js';
import { visibleBoxes } from '../../../domain/criteria/visible-boxes.js';
import {
  accept,
  common,
  jsonSchema,
  type Judgement,
  judgeResult,
  askPerson,
  paragraph,
  reject,
  sentence,
} from '../judgement.js';
import { criteriaHash } from '../../../domain/state/triage-from-boxes.js';
import { oneLine, type PhaseContext, renderPrompt } from '../prompt.js';

/* Triage: the kind of work, its size, and how to tell that it is done. */

const resultSchema = z.strictObject({
  ...common,
  type: z.enum(['bug', 'feature', 'task']),
  size: z.enum(SIZES),
  reasons: z.array(sentence).min(1).max(6).describe('Why this size: files, components, risks.'),
  summary: paragraph.describe('What is to be achieved, in two or three sentences.'),
  criteria: z
    .array(
      z.strictObject({
        text: sentence.describe('One observable thing that is true when the work is done.'),
        verify: z
          .string()
          .max(600)
          .nullable()
          .describe('One of the four verify commands, or null when only reading can tell.'),
        stage: z.enum(['pre-merge', 'post-merge']),
      }),
    )
    .max(MAX_CRITERIA),
  questions: z.array(sentence).max(5).describe('Empty, unless a wrong guess would waste the work.'),
});

type ResultCriterion = z.infer<typeof resultSchema>['criteria'][number];

export type IssueContext = PhaseContext;

export const issueSchema = jsonSchema(resultSchema);

export function renderIssue(context: IssueContext): string {
  const { body, isTrusted = false } = context.issue;
  const boxes = openBoxes(body).map(({ text, verify }) => {
    // A check is written in an HTML comment, which the page does not show. From a stranger it is hidden text like any other.
    const isShown = isTrusted && verify !== null && verify.kind !== 'malformed';
    return `- ${oneLine(text)}${isShown ? ` (checked by: ${formatVerify(verify)})` : ''}`;
  });
  return renderPrompt('issue', context, { facts: [], blocks: [{ name: 'boxes', text: boxes.join('\n') }] });
}

export function judgeIssue(result: unknown, { issue }: Pick<IssueContext, 'issue'>): Judgement<Triage> {
  return judgeResult(resultSchema, result, ({ type, size, reasons, summary, criteria: proposed, questions }) => {
    if (questions.length > 0) return askPerson(questions);
    const { criteria, problems } = joinCriteria(openBoxes(issue.body), proposed);
    if (problems.length > 0) return reject(...problems);
    if (!criteria.some(({ stage }) => stage === 'pre-merge')) {
      return reject(
        'There is no pre-merge criterion: name at least one thing that can be checked before the work lands.',
      );
    }
    return accept({ type, size, reasons, summary, criteria, criteriaHash: criteriaHash(criteria) });
  });
}

/** Ticked boxes are settled; open ones become criteria. */
const openBoxes = (body: string): readonly Box[] =>
  visibleBoxes(body).filter(({ ticked, text }) => !ticked && text !== '');

/** People's own boxes come first, in their words. A proposed command with the same words fills in a box that has none. */
function joinCriteria(
  boxes: readonly Box[],
  proposed: readonly ResultCriterion[],
): { readonly criteria: readonly Criterion[]; readonly problems: readonly string[] } {
  const proposals = new Map(proposed.map((criterion) => [key(criterion.text), criterion]));
  const own = new Map(boxes.map((box) => [key(box.text), box]));
  const taken = [...own].map(([name, { text, verify }]) => {
    const proposal = proposals.get(name);
    return { text, verify: verify ?? proposedVerify(proposal?.verify), stage: proposal?.stage ?? 'pre-merge' } as const;
  });
  const added = [...proposals]
    .filter(([name]) => !own.has(name))
    .map(([, { text, verify, stage }]) => ({ text: oneLine(text), verify: proposedVerify(verify), stage }));
  const criteria: Criterion[] = [];
  const problems: string[] = [];
  for (const [index, { text, verify, stage }] of [...taken, ...added].slice(0, MAX_CRITERIA).entries()) {
    if (verify?.kind === 'malformed')
      problems.push(`“${text}”: ${formatMalformedVerify(verify)} Or \`null\`, if only reading can tell.`);
    else criteria.push({ id: `c${index + 1}`, text, verify, stage });
  }
  return { criteria, problems };
}

const proposedVerify = (text: string | null | undefined): Box['verify'] =>
  text === null || text === undefined || text.trim() === '' ? null : parseVerify(text);

const key = (text: string): string => oneLine(text).toLowerCase();
