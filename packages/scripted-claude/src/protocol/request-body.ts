import { z } from 'zod';

const textBlock = z.looseObject({ type: z.literal('text'), text: z.string() });
const toolUseBlock = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
});
const toolResultBlock = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]).optional(),
  is_error: z.boolean().optional(),
});

const KNOWN_BLOCKS = new Set(['text', 'tool_use', 'tool_result']);
/** Images, documents, thinking and unknown blocks: kept, but not read. */
const otherBlock = z.looseObject({ type: z.string().refine((type) => !KNOWN_BLOCKS.has(type)) });

const message = z.looseObject({
  // The CLI sends `system` messages in the middle of a conversation.
  role: z.enum(['user', 'assistant', 'system']),
  content: z.union([z.string(), z.array(z.union([textBlock, toolUseBlock, toolResultBlock, otherBlock]))]),
});

const countBody = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  tools: z.array(z.looseObject({ name: z.string(), input_schema: z.unknown() })).optional(),
});

const messagesBody = countBody.extend({ max_tokens: z.int().min(1), stream: z.boolean().optional() });

export type CountBody = z.infer<typeof countBody>;
export type MessagesBody = z.infer<typeof messagesBody>;
export type BodyMessage = CountBody['messages'][number];

export type ParsedBody<T> = { readonly body: T } | { readonly problem: string };

export const parseMessagesBody = (text: string): ParsedBody<MessagesBody> => parseWith(messagesBody, text);
export const parseCountBody = (text: string): ParsedBody<CountBody> => parseWith(countBody, text);

function parseWith<T>(schema: z.ZodType<T>, text: string): ParsedBody<T> {
  const json = parseJson(text);
  if (json === undefined) return { problem: 'The request body is not valid JSON.' };
  const parsed = schema.safeParse(json);
  if (parsed.success) return { body: parsed.data };
  return { problem: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ') };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
