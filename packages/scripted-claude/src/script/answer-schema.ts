import { z } from 'zod';
import {
  type AnswerOptions,
  bash,
  call,
  edit,
  empty,
  maxTokens,
  read,
  refuse,
  say,
  structured,
  think,
  together,
  write,
} from './say.js';
import type { MessageTurn } from './turn.js';

/** A parsed answer still waiting for its options. */
export interface AnswerForm {
  readonly as: 'answer';
  readonly build: (options: AnswerOptions) => MessageTurn;
}

const form = (build: AnswerForm['build']): AnswerForm => ({ as: 'answer', build });
const data = z.record(z.string(), z.unknown());

const blockForms = {
  say: z.string().transform((text) => form((options) => say(text, options))),
  think: z.string().transform((text) => form((options) => think(text, options))),
  bash: z.string().transform((command) => form((options) => bash(command, options))),
  write: z
    .strictObject({ path: z.string(), content: z.string() })
    .transform(({ path, content }) => form((options) => write(path, content, options))),
  edit: z
    .strictObject({ path: z.string(), old: z.string(), new: z.string() })
    .transform((change) => form((options) => edit(change.path, change.old, change.new, options))),
  read: z.string().transform((path) => form((options) => read(path, options))),
  call: z
    .strictObject({ tool: z.string(), input: data })
    .transform(({ tool, input }) => form((options) => call(tool, input, options))),
  structured: data.transform((result) => form((options) => structured(result, options))),
};

const block = z
  .strictObject(blockForms)
  .partial()
  .transform((value, context) => {
    const forms = Object.values(value).filter((found) => found !== undefined);
    const [only] = forms;
    if (only !== undefined && forms.length === 1) return only;
    context.addIssue(`a block is exactly one of ${Object.keys(blockForms).join(', ')}`);
    return z.NEVER;
  });

/** Every key that says what the model answers. */
export const answerForms = {
  ...blockForms,
  together: z
    .array(block)
    .min(1)
    .transform((parts) => form((options) => join(parts.map((part) => part.build(options))))),
  refuse: z.string().transform((text) => form((options) => refuse(text, options))),
  maxTokens: z.string().transform((text) => form((options) => maxTokens(text, options))),
  empty: z.literal(true).transform(() => form((options) => empty(options))),
};

function join([first, ...rest]: readonly MessageTurn[]): MessageTurn {
  return first === undefined ? empty() : together(first, ...rest);
}
