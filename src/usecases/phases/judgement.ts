import { z } from 'zod';
import type { Handoff } from '../../domain/agent/handoff.js';

/** The judgement of an agent's result. */
export type Judgement<T> =
  | { readonly kind: 'accepted'; readonly value: T; readonly handoff: Handoff }
  /** Not good enough; the next attempt gets the reasons. */
  | { readonly kind: 'rejected'; readonly reasons: readonly string[] }
  /** Only a person can continue, by answering the questions. */
  | { readonly kind: 'needs-human'; readonly questions: readonly string[] };

/** An acceptance without the handoff, which every result carries. */
type Accepted<T> = Omit<Extract<Judgement<T>, { kind: 'accepted' }>, 'handoff'>;

export const accept = <T>(value: T): Accepted<T> => ({ kind: 'accepted', value });

export const reject = (...reasons: readonly string[]): Judgement<never> => ({ kind: 'rejected', reasons });

export const askPerson = (questions: readonly string[]): Judgement<never> => ({ kind: 'needs-human', questions });

/** Room for a sentence or two. */
export const sentence = z.string().trim().min(1).max(600);
/** Room for a page. */
export const paragraph = z.string().trim().min(1).max(6000);

const handoff = z
  .strictObject({
    progress: paragraph.describe('What is done and what is left, in a few sentences.'),
    files: z.array(sentence).max(100).describe('Files read or changed that the next phase should look at.'),
    testStatus: z.enum(['passed', 'failed', 'not-run']).describe('How the last run of the tests ended.'),
    decisions: z.array(sentence).min(2).max(5).describe('What was decided and why, two to five.'),
    openErrors: z.array(sentence).max(10).describe('What is known to be wrong or unfinished; usually empty.'),
  })
  .describe('For whoever continues without your memory.');

/** The fields every result has. */
export const common = {
  nonce: z.string().min(1).describe('The nonce of this run, exactly as the skill gives it.'),
  handoff,
};

/** Set when the agent cannot do what was asked. */
export const blocked = sentence
  .nullable()
  .describe(
    'null, unless the work cannot be done as asked: then what stands in the way and what a person has to decide.',
  );

/** The JSON schema that the CLI enforces. */
export function jsonSchema(schema: z.ZodType): object {
  // The CLI refuses a schema that names another draft than its own.
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { target: 'draft-7' });
  return rest;
}

/** Parses a result, then judges what it says. */
export function judgeResult<R extends { readonly handoff: z.infer<typeof handoff> }, T>(
  schema: z.ZodType<R>,
  result: unknown,
  judge: (result: R) => Accepted<T> | Judgement<never>,
): Judgement<T> {
  const parsed = schema.safeParse(result);
  if (!parsed.success)
    return reject(...parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'result'}: ${message}`));
  const verdict = judge(parsed.data);
  return verdict.kind === 'accepted' ? { ...verdict, handoff: parsed.data.handoff satisfies Handoff } : verdict;
}
