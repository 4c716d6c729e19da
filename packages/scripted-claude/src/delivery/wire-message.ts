import type { MessageTurn, ReplyBlock, StopReason } from '../script/turn.js';
import type { IdSource } from '../protocol/ids.js';
import type { ModelRequest } from '../protocol/model-request.js';
import { estimateTokens } from '../protocol/tokens.js';

export type WireBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown };

interface WireUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation: { readonly ephemeral_5m_input_tokens: number; readonly ephemeral_1h_input_tokens: number };
  readonly output_tokens: number;
  readonly service_tier: 'standard';
}

/** An answer as the Messages API words it when it is not streamed. */
export interface WireMessage {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  readonly model: string;
  readonly content: readonly WireBlock[];
  readonly stop_reason: StopReason;
  readonly stop_sequence: null;
  readonly usage: WireUsage;
}

export function toWireMessage(turn: MessageTurn, request: ModelRequest, ids: IdSource): WireMessage {
  return {
    id: ids('msg'),
    type: 'message',
    role: 'assistant',
    model: request.model,
    content: turn.blocks.map((block) => toWireBlock(block, ids)),
    stop_reason: turn.stopReason ?? (turn.blocks.some((block) => block.type === 'tool') ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: usageOf(turn, request),
  };
}

function toWireBlock(block: ReplyBlock, ids: IdSource): WireBlock {
  if (block.type === 'text') return block;
  if (block.type === 'tool') return { type: 'tool_use', id: ids('toolu'), name: block.name, input: block.input };
  return { type: 'thinking', thinking: block.text, signature: Buffer.from('scripted thinking').toString('base64') };
}

function usageOf(turn: MessageTurn, request: ModelRequest): WireUsage {
  const written = turn.usage.cacheWriteTokens ?? 0;
  return {
    input_tokens: turn.usage.inputTokens ?? request.estimatedInputTokens,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: turn.usage.cacheReadTokens ?? 0,
    cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
    output_tokens: turn.usage.outputTokens ?? estimateTokens(turn.blocks),
    service_tier: 'standard',
  };
}
