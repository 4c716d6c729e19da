import { posix } from 'node:path';
import { z } from 'zod';
import { type Size, SIZES } from '../../../domain/issue/size.js';
import type { Spec, Triage } from '../../../domain/state/state.js';
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
  sentence,
} from '../judgement.js';
import { criteriaBlock } from '../prompt-blocks.js';
import { type PhaseContext, renderPrompt } from '../prompt.js';

/* The spec: how the work will be done, before it begins. */

const resultSchema = z.strictObject({
  ...common,
  approach: paragraph.describe('The design in a few paragraphs: what changes, what stays, why so.'),
  files: z
    .array(sentence)
    .max(100)
    .describe('Paths from the root that will be created or changed, tests and documentation too.'),
  steps: z
    .array(
      z.strictObject({
        text: sentence,
        criteria: z.array(z.string()).describe('Ids of the criteria this step serves: c1, c2…'),
      }),
    )
    .max(30),
  risks: z.array(sentence).max(10),
  size: z.enum(SIZES).nullable().describe('Another size, if the list of files says so; else null.'),
  blocked,
});

export interface SpecContext extends PhaseContext {
  readonly triage: Triage;
  readonly size: Size;
}

export interface JudgedSpec {
  readonly spec: Spec;
  /** The corrected size, if triage was wrong. */
  readonly size: Size | null;
}

export const specSchema = jsonSchema(resultSchema);

export function renderSpec(context: SpecContext): string {
  const { triage, size } = context;
  return renderPrompt('spec', context, {
    facts: [`Size: ${size}`, `Kind of work: ${triage.type}`],
    blocks: [{ name: 'summary', text: triage.summary }, criteriaBlock(triage.criteria)],
  });
}

export function judgeSpec(result: unknown, { triage }: Pick<SpecContext, 'triage'>): Judgement<JudgedSpec> {
  return judgeResult(resultSchema, result, ({ approach, files, steps, risks, size, blocked: why }) => {
    if (why !== null) return askPerson([why]);
    const reasons = [...fileProblems(files), ...coverageProblems(steps, triage)];
    if (reasons.length > 0) return reject(...reasons);
    const spec = { criteriaHash: triage.criteriaHash, approach, files, steps, risks };
    return accept({ spec, size: size === triage.size ? null : size });
  });
}

function fileProblems(files: readonly string[]): string[] {
  if (files.length === 0) return ['files is empty: name every file the work will create or change.'];
  const outside = files.filter((file) => posix.isAbsolute(file) || posix.normalize(file).startsWith('..'));
  const forbidden = files.filter((file) => posix.normalize(file).startsWith('.github/workflows'));
  return [
    ...outside.map((file) => `${file} is not a path inside the repository.`),
    ...forbidden.map(
      (file) =>
        `${file}: workflows are changed by people only. Find a way without it, or say in blocked why there is none.`,
    ),
  ];
}

/** Every pre-merge criterion needs a step that achieves it. */
function coverageProblems(steps: readonly { readonly criteria: readonly string[] }[], { criteria }: Triage): string[] {
  const served = new Set(steps.flatMap((step) => step.criteria));
  const known = new Set(criteria.map(({ id }) => id));
  return [
    ...criteria
      .filter(({ id, stage }) => stage === 'pre-merge' && !served.has(id))
      .map(({ id, text }) => `No step serves ${id} (${text}).`),
    ...[...served].filter((id) => !known.has(id)).map((id) => `There is no criterion ${id}.`),
  ];
}
