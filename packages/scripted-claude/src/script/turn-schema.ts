import { z } from 'zod';
import { type AnswerForm, answerForms } from './answer-schema.js';
import { type BreakForm, breakForms } from './break-schema.js';
import { type FailureForm, failureForms } from './failure-schema.js';
import { STOP_REASONS, type Turn } from './turn.js';

const count = z.int().min(0).exactOptional();

const options = {
  stopReason: z.enum(STOP_REASONS).exactOptional(),
  usage: z
    .strictObject({ inputTokens: count, outputTokens: count, cacheReadTokens: count, cacheWriteTokens: count })
    .exactOptional(),
  message: z.string().exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  times: z.int().min(1).exactOptional(),
};

const forms = z.strictObject({ ...answerForms, ...failureForms, ...breakForms }).partial();
type Form = AnswerForm | FailureForm | BreakForm;

/** One turn as it is written in a file: an answer, perhaps with a disturbance, or a failure. */
export const turnSchema = z.strictObject({ ...forms.shape, ...options }).transform((value, context): Turn => {
  const { stopReason, usage, message, headers, times, ...rest } = value;
  const found = Object.values(rest).filter((form) => form !== undefined);
  const { answer, failure, disturbance, problem } = sort(found);
  const forAnswer = given({ stopReason, usage });
  const forFailure = given({ message, headers });
  const misplaced = Object.keys(failure === undefined ? forFailure : forAnswer);
  for (const text of [problem, ...misplaced.map((key) => `${key} does not belong to this kind of turn`)]) {
    if (text !== null) context.addIssue(text);
  }
  if (failure !== undefined) return { ...failure.build(forFailure), times: times ?? null };
  const turn = answer?.build(forAnswer);
  const delivered = disturbance === undefined ? turn : disturbance.build(turn);
  return delivered === undefined ? z.NEVER : { ...delivered, times: times ?? null };
});

interface Sorted {
  readonly answer: AnswerForm | undefined;
  readonly failure: FailureForm | undefined;
  readonly disturbance: BreakForm | undefined;
  readonly problem: string | null;
}

function sort(found: readonly Form[]): Sorted {
  const answers = found.filter((form) => form.as === 'answer');
  const failures = found.filter((form) => form.as === 'failure');
  const breaks = found.filter((form) => form.as === 'break');
  const [answer, failure, disturbance] = [answers[0], failures[0], breaks[0]];
  return { answer, failure, disturbance, problem: problemWith(answers.length, failures.length, breaks.length) };
}

function problemWith(answers: number, failures: number, breaks: number): string | null {
  if (answers + failures + breaks === 0) {
    const keys = Object.keys(forms.shape).join(', ');
    return `a turn needs one of ${keys}`;
  }
  if (answers > 1) return 'a turn has one answer; put several blocks under `together`';
  if (breaks > 1) return 'a turn has at most one disturbance';
  return failures > 1 || (failures === 1 && answers + breaks > 0) ? 'a failure stands alone in its turn' : null;
}

/** The fields that were given, so that optional ones stay absent. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
