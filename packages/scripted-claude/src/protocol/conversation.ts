import type { BodyMessage } from './request-body.js';

type MessageBlock =
  | { readonly type: 'text'; readonly text: string }
  /** The model called a tool. */
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly input: unknown }
  /** What the tool answered. */
  | { readonly type: 'tool-result'; readonly callId: string; readonly text: string; readonly isError: boolean }
  /** Thinking, images, documents: present, not read. */
  | { readonly type: 'other'; readonly kind: string };

export interface Message {
  readonly role: 'user' | 'assistant' | 'system';
  readonly blocks: readonly MessageBlock[];
}

export interface ToolResult {
  readonly callId: string;
  /** The tool's name, or an empty text when the call itself is not in the conversation. */
  readonly tool: string;
  readonly text: string;
  readonly isError: boolean;
}

type BodyBlock = Exclude<BodyMessage['content'], string>[number];

export function messagesOf(messages: readonly BodyMessage[]): Message[] {
  return messages.map(({ role, content }) => ({
    role,
    blocks: typeof content === 'string' ? [{ type: 'text', text: content }] : content.map(toBlock),
  }));
}

export function textsOf(message: Message): string[] {
  return message.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

export function toolResultsOf(messages: readonly Message[]): ToolResult[] {
  const blocks = messages.flatMap((message) => message.blocks);
  const names = new Map(blocks.flatMap((block) => (block.type === 'tool-call' ? [[block.id, block.name]] : [])));
  return blocks.flatMap((block) =>
    block.type === 'tool-result'
      ? [{ callId: block.callId, tool: names.get(block.callId) ?? '', text: block.text, isError: block.isError }]
      : [],
  );
}

function toBlock(block: BodyBlock): MessageBlock {
  if (isBlock(block, 'text')) return { type: 'text', text: block.text };
  if (isBlock(block, 'tool_use')) return { type: 'tool-call', id: block.id, name: block.name, input: block.input };
  if (isBlock(block, 'tool_result')) {
    const { content = '' } = block;
    const text = typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
    return { type: 'tool-result', callId: block.tool_use_id, text, isError: block.is_error ?? false };
  }
  return { type: 'other', kind: block.type };
}

/** The open `other` member keeps TypeScript from narrowing by `type` alone; the schema has made it safe. */
function isBlock<K extends 'text' | 'tool_use' | 'tool_result'>(
  block: BodyBlock,
  type: K,
): block is Extract<BodyBlock, { type: K }> {
  return block.type === type;
}
