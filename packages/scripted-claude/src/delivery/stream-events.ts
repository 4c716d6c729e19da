import type { WireBlock, WireMessage } from './wire-message.js';

/** One server-sent event; its name is the `type` of its data. */
export interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export const encodeEvent = (event: StreamEvent): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** The same message as a stream: start, blocks piece by piece with a ping after the first start, then usage and the end. */
export function toEvents(message: WireMessage): StreamEvent[] {
  const { stop_reason, stop_sequence, usage } = message;
  const start = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  return [
    { type: 'message_start', message: start },
    ...message.content.flatMap((block, index) => blockEvents(block, index)),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ];
}

function blockEvents(block: WireBlock, index: number): StreamEvent[] {
  const { opening, deltas } = takeApart(block);
  return [
    { type: 'content_block_start', index, content_block: opening },
    ...(index === 0 ? [{ type: 'ping' }] : []),
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

/** What a block starts as, and what is added to it piece by piece. */
function takeApart(block: WireBlock): { opening: unknown; deltas: unknown[] } {
  if (block.type === 'text') {
    const deltas = pieces(block.text).map((text) => ({ type: 'text_delta', text }));
    return { opening: { ...block, text: '' }, deltas };
  }
  if (block.type === 'tool_use') {
    const deltas = pieces(JSON.stringify(block.input)).map((json) => ({
      type: 'input_json_delta',
      partial_json: json,
    }));
    return { opening: { ...block, input: {} }, deltas };
  }
  const deltas = pieces(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking }));
  const signature = { type: 'signature_delta', signature: block.signature };
  return { opening: { ...block, thinking: '', signature: '' }, deltas: [...deltas, signature] };
}

/** Pieces of up to 24 characters, never splitting one that takes two code units. */
const pieces = (text: string): string[] => text.match(/[\s\S]{1,24}/gu) ?? [];
