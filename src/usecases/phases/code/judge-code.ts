import { z } from 'zod';
import { trimOutput } from '../../../domain/criteria/command-output.js';
import type { CriterionResult } from '../../../domain/criteria/criterion.js';
import type { Oid } from '../../../domain/issue/ids.js';
import type { Route } from '../../../domain/issue/route.js';
import type { FixRequest, Spec, Triage } from '../../../domain/state/state.js';
import { visibleText } from '../../../domain/sanitise/neutralise.js';
import type { CommandOutcome } from '../../../ports/workspace.js';
import { criteriaBlock, specBlock } from '../prompt-blocks.js';
import {
  accept,
  blocked,
  common,
  jsonSchema,
  type Judgement,
  judgeResult,
  askPerson,
  paragraph,
  reject,
} from '../judgement.js';
import { list, oneLine, type PhaseContext, renderPrompt } from '../prompt.js';

/* Code: the agent leaves commits in the clone and describes them. */

const resultSchema = z.strictObject({
  ...common,
  title: z.string().trim().min(1).max(100).describe('The change in one imperative line, as the subject of a commit.'),
  summary: paragraph.describe('What was done and why so, for the pull request: what a reviewer should know.'),
  blocked,
});

export interface CodeContext extends PhaseContext {
  readonly triage: Triage;
  readonly spec: Spec | null;
  readonly route: Route['kind'];
  /** The commit that is checked out. */
  readonly start: Oid;
  /** Why code is written again; `null` the first time. */
  readonly fix: FixRequest | null;
  /** Earlier work that conflicts with the checked-out commit. */
  readonly aside: readonly Oid[];
  /** Earlier work that changes files only people may change, not approved. */
  readonly held: readonly Oid[];
}

/** What the service checked itself, whatever the agent reports. */
export interface CodeFacts {
  /** The agent's commit; `null` when nothing changed. */
  readonly commit: Oid | null;
  /** The repository's tests on that commit; `null` when it names no test command. */
  readonly test: CommandOutcome | null;
  /** Pre-merge criteria with a command, on that commit. */
  readonly results: readonly CriterionResult[];
}

export interface JudgedCode {
  readonly commit: Oid;
  readonly title: string;
  readonly summary: string;
}

export const codeSchema = jsonSchema(resultSchema);

/** Work that conflicts with its base goes to the skill for merging; everything else is coding. */
export function renderCode(context: CodeContext): string {
  const { triage, spec, route, start, fix, aside, held } = context;
  const work = route === 'patch' ? 'one commit straight onto the base branch' : 'a pull request';
  return renderPrompt(fix?.source === 'conflict' ? 'merge' : 'code', context, {
    facts: [
      `Work lands as: ${work}`,
      `The clone stands at: ${start}`,
      ...(fix === null
        ? []
        : [`This is a fix: ${fix.source} found the work wanting${fix.head === null ? '' : ` at ${fix.head}`}`]),
      ...aside.map((oid) => `Earlier work that conflicts with the clone: ${oid} (\`git diff HEAD...${oid}\` shows it)`),
      ...held.map(
        (oid) =>
          `Earlier work that changes files only people may change: ${oid} (\`git diff HEAD...${oid}\` shows it). Do without that part`,
      ),
    ],
    blocks: [
      { name: 'summary', text: triage.summary },
      criteriaBlock(triage.criteria),
      specBlock(spec),
      { name: 'fix', text: list(fix?.items ?? []) },
    ],
  });
}

/** Whether the agent reports that the work cannot be done as asked; no commit is needed then. */
export function isBlocked(result: unknown): boolean {
  const { data } = resultSchema.safeParse(result);
  return data !== undefined && data.blocked !== null;
}

export function judgeCode(result: unknown, facts: CodeFacts): Judgement<JudgedCode> {
  return judgeResult(resultSchema, result, ({ title, summary, blocked: why }) => {
    if (why !== null) return askPerson([why]);
    const { commit, test, results } = facts;
    if (commit === null) return reject('Nothing was changed: there is no commit and no difference in the clone.');
    const reasons = findProblems({ test, results });
    return reasons.length > 0 ? reject(...reasons) : accept({ commit, title: oneLine(title), summary });
  });
}

/** The problems of a commit, as feedback for the next attempt. */
export function findProblems({ test, results }: Pick<CodeFacts, 'test' | 'results'>): readonly string[] {
  return [
    ...(test === null || test.passed ? [] : [`${testTrouble(test)}:\n${visibleText(trimOutput(false, test.output))}`]),
    ...results.flatMap(criterionTrouble),
  ];
}

function testTrouble({ timedOut, overLimit }: CommandOutcome): string {
  if (overLimit === true)
    return `The tests were stopped, since they took more of the machine than they may. ${IF_GREEDY}`;
  return timedOut === true ? `The tests did not come to an end. ${IF_SLOW}` : 'The tests fail';
}

/** A criterion that fails or is uncertain keeps the work from landing. */
function criterionTrouble({ id, verdict, evidence }: CriterionResult): string[] {
  switch (verdict) {
    case 'FAIL':
      return [`${id} does not hold:\n${visibleText(evidence)}`];
    case 'UNCERTAIN':
      return [
        `${id} could not be decided, because its command did not come to an end. ${IF_SLOW}\n${visibleText(evidence)}`,
      ];
    case 'PASS':
    case 'SKIPPED':
      return [];
  }
}

const IF_GREEDY =
  'If the change makes them do so, correct that; if they need as much by themselves, say so in `blocked`.';
const IF_SLOW = 'If the change makes it hang, correct that; if it takes so long by itself, say so in `blocked`.';
