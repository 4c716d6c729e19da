import type { Keys, Shape } from './shape.js';

/*
 * What a request may contain: what the pinned `claude` CLI sends. There is no key for an address or a file id, so the API cannot be made to
 * fetch anything. No tool runs on the API's side, and no tier costs more than the list price.
 */

const TEXT: Shape = { text: true };
const NUMBER: Shape = { number: true };
const FLAG: Shape = { flag: true };
const FREE: Shape = { free: true };

const CACHE_CONTROL: Shape = {
  nothing: true,
  keys: { type: { text: ['ephemeral'] }, ttl: { text: ['5m', '1h'] } },
  report: 'cache',
};

/**
 * The keys of all block types together: no key of any type can make the API contact anybody. Which keys belong together is checked by the
 * API.
 */
const BLOCK: Shape = { keys: () => BLOCK_KEYS };
const CONTENT: Shape = { text: true, items: BLOCK };

/** Content inside the request itself. */
const SOURCE: Shape = {
  keys: { type: { text: ['base64', 'text', 'content'] }, media_type: TEXT, data: TEXT, content: CONTENT },
  report: 'source',
};

const TOOL_KEYS: Keys = {
  name: TEXT,
  description: TEXT,
  input_schema: FREE,
  cache_control: CACHE_CONTROL,
  strict: FLAG,
  defer_loading: FLAG,
  eager_input_streaming: FLAG,
};

/** Tools that the client runs, inside the sandbox. */
const TOOL: Shape = { keys: { ...TOOL_KEYS, type: { text: ['custom', 'bash_20250124'], nothing: true } } };

/** A tool added or removed during a conversation. */
const TOOL_CHANGE: Shape = { keys: { ...TOOL_KEYS, type: { text: ['custom', 'tool_reference'] } } };

const BLOCK_KEYS: Keys = {
  type: {
    text: [
      'text',
      'image',
      'document',
      'tool_use',
      'tool_result',
      'tool_reference',
      'tool_addition',
      'tool_removal',
      'thinking',
      'redacted_thinking',
    ],
  },
  cache_control: CACHE_CONTROL,
  text: TEXT,
  citations: { nothing: true, keys: { enabled: FLAG }, items: FREE },
  source: SOURCE,
  title: { text: true, nothing: true },
  context: { text: true, nothing: true },
  id: TEXT,
  name: TEXT,
  input: FREE,
  caller: { nothing: true, keys: { type: { text: ['direct'] } } },
  tool_use_id: TEXT,
  tool_name: TEXT,
  tool: TOOL_CHANGE,
  is_error: FLAG,
  content: CONTENT,
  thinking: TEXT,
  signature: TEXT,
  data: TEXT,
};

const OUTPUT_CONFIG: Shape = {
  keys: {
    effort: { text: ['low', 'medium', 'high', 'xhigh', 'max'] },
    format: { nothing: true, keys: { type: { text: ['json_schema'] }, schema: FREE } },
  },
};

/** Drops older parts of the conversation. Summarising on the API's side is charged separately, and not allowed. */
const CONTEXT_MANAGEMENT: Shape = {
  keys: {
    edits: {
      items: {
        keys: {
          type: { text: ['clear_thinking_20251015', 'clear_tool_uses_20250919'] },
          keep: FREE,
          trigger: FREE,
          clear_at_least: FREE,
          clear_tool_inputs: FREE,
          exclude_tools: { items: TEXT },
        },
      },
    },
  },
};

const MESSAGE: Shape = {
  keys: { role: { text: ['user', 'assistant', 'system'] }, content: CONTENT, output_config: OUTPUT_CONFIG },
};

/** The body of a request for a message, or for a count of its tokens. */
export const REQUEST_SHAPE: Shape = {
  keys: {
    model: TEXT,
    messages: { items: MESSAGE },
    system: CONTENT,
    tools: { items: TOOL },
    tool_choice: {
      keys: { type: { text: ['auto', 'any', 'tool', 'none'] }, name: TEXT, disable_parallel_tool_use: FLAG },
    },
    thinking: {
      keys: {
        type: { text: ['enabled', 'disabled', 'adaptive'] },
        budget_tokens: NUMBER,
        display: { text: ['updates', 'summarized', 'omitted'] },
      },
      report: 'thinking',
    },
    context_management: CONTEXT_MANAGEMENT,
    output_config: OUTPUT_CONFIG,
    max_tokens: NUMBER,
    stream: FLAG,
    temperature: NUMBER,
    top_p: NUMBER,
    top_k: NUMBER,
    stop_sequences: { items: TEXT },
    metadata: { keys: { user_id: TEXT } },
  },
  report: 'request',
};
