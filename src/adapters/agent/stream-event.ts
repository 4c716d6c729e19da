import { createHash } from 'node:crypto';
import { z } from 'zod';

/** A piece of an answer of the model. */
export type MessagePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly id: string; readonly name: string; readonly input: unknown };

/** How a turn ended, as the CLI reports it. Fields of a wrong type count as missing. */
export interface StreamResult {
  readonly isError: boolean | null;
  readonly subtype: string | null;
  readonly terminalReason: string | null;
  readonly apiErrorStatus: number | null;
  readonly apiError: string | null;
  readonly apiErrorType: string | null;
  readonly turns: number | null;
  /** At the CLI's own prices, over all of the session so far. */
  readonly sessionCostUsd: number | null;
  /** Names of tools that were denied. */
  readonly denied: readonly string[];
  /** `undefined` when the model gave none. */
  readonly structuredOutput: unknown;
  /** Text for people: used in reports, never for judging. */
  readonly text: string;
}

/** One event of `--output-format stream-json`, as far as we use it. */
export type StreamEvent =
  | { readonly kind: 'init'; readonly sessionId: string | null; readonly model: string | null }
  | {
      readonly kind: 'message';
      readonly id: string;
      readonly model: string | null;
      readonly parts: readonly MessagePart[];
      /** Input and cache tokens; `null` for a subagent, whose window is its own. */
      readonly windowTokens: number | null;
    }
  /** A message the CLI made up to stand for a failed request: `rate_limit`, `billing_error`, … */
  | { readonly kind: 'api-error'; readonly error: string | null }
  | { readonly kind: 'tool-results'; readonly results: readonly ToolEnd[] }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'compacted' }
  /** A usage limit was hit; when it resets, in seconds since the epoch. */
  | { readonly kind: 'limit-hit'; readonly resetsAt: number | null }
  | { readonly kind: 'result'; readonly result: StreamResult }
  /** Anything else: a sign of life. */
  | { readonly kind: 'stir' };

export interface ToolEnd {
  readonly tool: string;
  readonly isError: boolean;
  readonly hasChangedFiles: boolean;
}

const text = z.string().nullish().catch(null);
const number = z.number().nullish().catch(null);
/** Amounts that are summed: not negative, and within the range of whole numbers. */
const amount = z.number().min(0).max(1e12).nullish().catch(null);
/** Values that become a time must be in its range. */
const moment = z.number().min(0).max(8.64e15).nullish().catch(null);
/** More entries than any real answer has, so that a forged one does not keep us busy. */
const MOST_ENTRIES = 1_000;
/** A list whose bad entries are left out. */
const entries = <T>(entry: z.ZodType<T>) =>
  z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((items) => (items ?? []).slice(0, MOST_ENTRIES).flatMap((item) => entry.safeParse(item).data ?? []));

const event = z.looseObject({ type: text, subtype: text });
/** It becomes a file name and an argument, so only an id is accepted. */
const sessionId = z
  .string()
  .regex(/^\w[\w-]{0,63}$/)
  .nullish()
  .catch(null);
/** Names go into reports and the state. Long ones are forged, and are cut. */
const LONGEST_NAME = 100;
const MOST_DENIED = 20;
const name = text.transform((given) => given?.slice(0, LONGEST_NAME));
const init = z.object({ session_id: sessionId, model: name });
const part = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
]);
const usage = z
  .object({ input_tokens: number, cache_read_input_tokens: number, cache_creation_input_tokens: number })
  .nullish()
  .catch(null);
const assistant = z.object({
  message: z.object({ id: text, model: name, content: entries(part), usage }),
  parent_tool_use_id: text,
  error: text,
});
const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  is_error: z.boolean().nullish().catch(null),
});
const user = z.object({
  message: z.object({ content: entries(toolResult) }),
  tool_use_result: z
    .looseObject({
      filePath: text,
      bashEditDiff: z
        .object({ changedFiles: z.array(z.unknown()) })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});
const limit = z.object({ rate_limit_info: z.object({ status: text, resetsAt: moment }) });
const result = z.object({
  is_error: z.boolean().nullish().catch(null),
  subtype: text,
  terminal_reason: text,
  api_error_status: number,
  api_error: text,
  api_error_type: text,
  num_turns: amount,
  total_cost_usd: amount,
  permission_denials: entries(z.object({ tool_name: z.string() })),
  structured_output: z.unknown().optional(),
  result: text,
  errors: z.array(z.string()).nullish().catch(null),
});

/** Waiting does not count as work, up to the longest pause the API asks for. */
const LONGEST_RETRY_MS = 10 * 60_000;
/** The model name of messages the CLI makes up itself. */
const SYNTHETIC = '<synthetic>';
/** Most lines are partial messages, which come again as a whole; they are not parsed. */
const PARTIAL = '{"type":"stream_event"';

/** Parses one line; `null` when it is not an event. */
export function parseStreamLine(line: string): StreamEvent | null {
  // A failed parse is slow, and an agent may print millions of other lines.
  if (!line.startsWith('{')) return null;
  if (line.startsWith(PARTIAL)) return line.endsWith('}') ? { kind: 'stir' } : null;
  const parsed = event.safeParse(parseJson(line)).data;
  if (parsed === undefined) return null;
  switch (parsed.type) {
    case 'system':
      return readSystem(parsed, parsed.subtype);
    case 'assistant':
      return readAssistant(parsed);
    case 'user':
      return readUser(parsed);
    case 'rate_limit_event':
      return readLimit(parsed);
    case 'result':
      return { kind: 'result', result: readResult(parsed) };
    default:
      return { kind: 'stir' };
  }
}

function readSystem(value: Readonly<Record<string, unknown>>, subtype: string | null | undefined): StreamEvent {
  if (subtype === 'init') {
    const { session_id, model } = init.parse(value);
    return { kind: 'init', sessionId: session_id ?? null, model: model ?? null };
  }
  if (subtype === 'api_retry')
    return {
      kind: 'retry',
      delayMs: Math.min(LONGEST_RETRY_MS, Math.max(0, number.parse(value['retry_delay_ms']) ?? 0)),
    };
  return { kind: subtype === 'compact_boundary' ? 'compacted' : 'stir' };
}

function readAssistant(value: unknown): StreamEvent {
  const parsed = assistant.safeParse(value).data;
  if (parsed === undefined) return { kind: 'stir' };
  const { message, error, parent_tool_use_id } = parsed;
  if (message.model === SYNTHETIC) return { kind: 'api-error', error: error ?? null };
  if (message.id == null) return { kind: 'stir' };
  const tokens = message.usage;
  const used =
    (tokens?.input_tokens ?? 0) + (tokens?.cache_read_input_tokens ?? 0) + (tokens?.cache_creation_input_tokens ?? 0);
  return {
    kind: 'message',
    id: message.id,
    model: message.model ?? null,
    parts: message.content.map((each) =>
      each.type === 'text' ? { kind: 'text', text: each.text } : { ...each, kind: 'tool' },
    ),
    windowTokens: parent_tool_use_id == null && tokens != null ? used : null,
  };
}

function readUser(value: unknown): StreamEvent {
  const parsed = user.safeParse(value).data;
  const found = parsed?.message.content ?? [];
  if (found.length === 0) return { kind: 'stir' };
  const details = parsed?.tool_use_result;
  const touched = (details?.bashEditDiff?.changedFiles ?? []).length > 0 || isWritten(details);
  return {
    kind: 'tool-results',
    results: found.map(({ tool_use_id, is_error }) => ({
      tool: tool_use_id,
      isError: is_error === true,
      hasChangedFiles: touched && is_error !== true,
    })),
  };
}

/** Whether a tool result has a path and a change, as Write and Edit have. Read names a path without a change. */
function isWritten(details: Readonly<Record<string, unknown>> | null | undefined): boolean {
  return typeof details?.['filePath'] === 'string' && Array.isArray(details['structuredPatch']);
}

function readLimit(value: unknown): StreamEvent {
  const info = limit.safeParse(value).data?.rate_limit_info;
  // The event is also sent when there is no limit; refused extra usage alone is not a limit.
  return info?.status === 'rejected' ? { kind: 'limit-hit', resetsAt: info.resetsAt ?? null } : { kind: 'stir' };
}

function readResult(value: unknown): StreamResult {
  const fields = result.parse(value);
  return {
    isError: fields.is_error ?? null,
    subtype: fields.subtype ?? null,
    terminalReason: fields.terminal_reason ?? null,
    apiErrorStatus: fields.api_error_status ?? null,
    apiError: fields.api_error ?? null,
    apiErrorType: fields.api_error_type ?? null,
    turns: fields.num_turns ?? null,
    sessionCostUsd: fields.total_cost_usd ?? null,
    denied: fields.permission_denials.slice(0, MOST_DENIED).map(({ tool_name }) => tool_name.slice(0, LONGEST_NAME)),
    structuredOutput: fields.structured_output,
    text: fields.errors?.join(' ') ?? fields.result ?? '',
  };
}

/** Shorter texts are too common to compare: "Now the tests." */
const SHORTEST_TEXT = 20;
/** The tool that delivers the result. Repeating it with the same input is allowed. */
export const RESULT_TOOL = 'StructuredOutput';

/** A hash to recognise repeated messages; `null` when there is nothing to compare. */
export function hashOf(parts: readonly MessagePart[]): string | null {
  const said = parts.flatMap((each) => {
    if (each.kind === 'tool') return each.name === RESULT_TOOL ? [] : [`${each.name} ${toJson(each.input)}`];
    const words = each.text.replaceAll(/\s+/g, ' ').trim();
    return words.length < SHORTEST_TEXT ? [] : [words];
  });
  return said.length === 0 ? null : createHash('sha1').update(said.join('\n')).digest('base64');
}

/** Very deep values can be parsed but not serialised. */
function toJson(input: unknown): string {
  try {
    return JSON.stringify(input) ?? '';
  } catch {
    return 'too deep';
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
