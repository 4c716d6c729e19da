import { z } from 'zod';

/** What the CLI says a turn ended with. Fields of a wrong type count as missing. */
export interface StreamResult {
  readonly isError: boolean | null;
  readonly subtype: string | null;
  readonly terminalReason: string | null;
  readonly apiErrorStatus: number | null;
  readonly apiError: string | null;
  readonly apiErrorType: string | null;
  readonly turns: number | null;
  /** `undefined` when the model gave none. */
  readonly structuredOutput: unknown;
  /** What it says to people: for reports, never for judging. */
  readonly text: string;
}

/** What is known from the CLI's stream so far. */
export interface StreamState {
  readonly sessionId: string | null;
  readonly model: string | null;
  /** Answers of the model: several events may belong to one. */
  readonly messages: number;
  readonly lastMessageId: string | null;
  /** The kind of the last message that stands for a failed request: `rate_limit`, `billing_error`, … */
  readonly apiErrorKind: string | null;
  readonly result: StreamResult | null;
  /** Lines that were no events. */
  readonly unreadable: number;
}

export const STREAM_START: StreamState = {
  sessionId: null,
  model: null,
  messages: 0,
  lastMessageId: null,
  apiErrorKind: null,
  result: null,
  unreadable: 0,
};

const text = z.string().nullish().catch(null);
const number = z.number().nullish().catch(null);
const event = z.looseObject({ type: text, subtype: text });
const init = z.object({ session_id: text, model: text });
const assistant = z.object({ message: z.object({ id: text, model: text }), error: text });
const result = z.object({
  is_error: z.boolean().nullish().catch(null),
  subtype: text,
  terminal_reason: text,
  api_error_status: number,
  api_error: text,
  api_error_type: text,
  num_turns: number,
  structured_output: z.unknown().optional(),
  result: text,
  errors: z.array(z.string()).nullish().catch(null),
});

/** The model name of messages the CLI makes up itself. */
const SYNTHETIC = '<synthetic>';

/** Takes in one line of `--output-format stream-json`. A line that makes no sense changes nothing else. */
export function readStreamLine(state: StreamState, line: string): StreamState {
  if (line === '') return state;
  const unreadable = { ...state, unreadable: state.unreadable + 1 };
  // Failing to parse is slow, and somebody may print millions of lines that are no events.
  if (!line.startsWith('{')) return unreadable;
  const parsed = event.safeParse(parseLine(line)).data;
  if (parsed === undefined) return unreadable;
  if (parsed.type === 'system' && parsed.subtype === 'init') return withInit(state, parsed);
  if (parsed.type === 'assistant') return withMessage(state, parsed);
  if (parsed.type === 'result') return withResult(state, parsed);
  return state;
}

function withInit(state: StreamState, value: unknown): StreamState {
  const { session_id, model } = init.parse(value);
  return { ...state, sessionId: session_id ?? state.sessionId, model: model ?? state.model };
}

function withMessage(state: StreamState, value: unknown): StreamState {
  const parsed = assistant.safeParse(value).data;
  if (parsed === undefined) return state;
  const { message, error } = parsed;
  if (message.model === SYNTHETIC) return { ...state, apiErrorKind: error ?? state.apiErrorKind };
  const id = message.id ?? null;
  if (id === null || id === state.lastMessageId) return state;
  return { ...state, messages: state.messages + 1, lastMessageId: id, model: message.model ?? state.model };
}

function withResult(state: StreamState, value: unknown): StreamState {
  const fields = result.parse(value);
  const next: StreamResult = {
    isError: fields.is_error ?? null,
    subtype: fields.subtype ?? null,
    terminalReason: fields.terminal_reason ?? null,
    apiErrorStatus: fields.api_error_status ?? null,
    apiError: fields.api_error ?? null,
    apiErrorType: fields.api_error_type ?? null,
    turns: fields.num_turns ?? null,
    structuredOutput: fields.structured_output,
    text: fields.errors?.join(' ') ?? fields.result ?? '',
  };
  // A later turn, started by something left behind, does not take back a result already given.
  const isGiven = state.result?.structuredOutput !== undefined && next.structuredOutput === undefined;
  return isGiven ? state : { ...state, result: next };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
