import type { MessageTurn, ReplyBlock, StopReason, TurnUsage } from './turn.js';

/** What any answer may carry besides its blocks. */
export interface AnswerOptions {
  readonly stopReason?: StopReason;
  readonly usage?: TurnUsage;
  readonly times?: number;
}

function answer(blocks: readonly ReplyBlock[], options: AnswerOptions = {}): MessageTurn {
  return {
    kind: 'message',
    blocks,
    stopReason: options.stopReason ?? null,
    usage: options.usage ?? {},
    delivery: { kind: 'whole' },
    times: options.times ?? null,
  };
}

/** Plain text. */
export const say = (text: string, options?: AnswerOptions): MessageTurn => answer([{ type: 'text', text }], options);

/** A thinking block; usually joined with something by `together`. */
export const think = (text: string, options?: AnswerOptions): MessageTurn =>
  answer([{ type: 'thinking', text }], options);

/** A call of any tool by name. */
export const call = (name: string, input: Record<string, unknown>, options?: AnswerOptions): MessageTurn =>
  answer([{ type: 'tool', name, input }], options);

export const bash = (command: string, options?: AnswerOptions): MessageTurn =>
  call('Bash', { command, description: 'Run a command' }, options);

export const write = (path: string, content: string, options?: AnswerOptions): MessageTurn =>
  call('Write', { file_path: path, content }, options);

export const edit = (path: string, oldText: string, newText: string, options?: AnswerOptions): MessageTurn =>
  call('Edit', { file_path: path, old_string: oldText, new_string: newText }, options);

export const read = (path: string, options?: AnswerOptions): MessageTurn => call('Read', { file_path: path }, options);

/** The result of a run with `--json-schema`. */
export const structured = (result: Record<string, unknown>, options?: AnswerOptions): MessageTurn =>
  call('StructuredOutput', result, options);

/** Several answers as the blocks of one message: text, then two tool calls, and so on. Options come from the last. */
export function together(first: MessageTurn, ...rest: readonly MessageTurn[]): MessageTurn {
  return { ...(rest.at(-1) ?? first), blocks: [first, ...rest].flatMap((turn) => turn.blocks) };
}

/** The model declines to answer. */
export const refuse = (text = "I can't help with that.", options?: AnswerOptions): MessageTurn =>
  say(text, { stopReason: 'refusal', ...options });

/** The answer hits `max_tokens` and ends in the middle. */
export const maxTokens = (text: string, options?: AnswerOptions): MessageTurn =>
  say(text, { stopReason: 'max_tokens', ...options });

/** An assistant message without any content. */
export const empty = (options?: AnswerOptions): MessageTurn => answer([], options);
