import { z } from 'zod';
import { parseJson } from './parse-json.js';

const MESSAGES = '/v1/messages';
const PATHS = [MESSAGES, `${MESSAGES}/count_tokens`];

/** Tools the API runs on its own side, with a network that the sandbox does not have. */
const SERVER_TOOL = /^(web_search|web_fetch|code_execution|mcp)/;

const block = z.looseObject({
  source: z.looseObject({ type: z.string().optional() }).optional().catch(undefined),
  get content() {
    return content.optional();
  },
});
const content = z.union([z.string(), z.array(block)]);

const requestBody = z.looseObject({
  model: z.string().catch(''),
  messages: z.array(z.looseObject({ content })),
  tools: z.array(z.looseObject({ type: z.string().optional() })).optional(),
  mcp_servers: z.array(z.unknown()).optional(),
  container: z.unknown().optional(),
});

export type JudgedBody =
  /** The bytes to pass on: exactly what was looked at. */
  | { readonly kind: 'allowed'; readonly bytes: Buffer; readonly model: string }
  | { readonly kind: 'refused'; readonly why: string };

/** Whether a request goes to an endpoint that answers with a message or a count, and to nothing else. */
export function isModelRequest(method: string | undefined, url: string | undefined): boolean {
  return method === 'POST' && PATHS.includes(pathOf(url));
}

/** Whether the answer will be a message, and not a count. */
export function makesMessage(url: string | undefined): boolean {
  return pathOf(url) === MESSAGES;
}

const pathOf = (url = ''): string => url.split('?')[0] ?? '';

/** Refuses what would let the API reach the network in the agent's place, and carry out what the sandbox keeps in. */
export function judgeBody(text: string): JudgedBody {
  const refused = (why: string): JudgedBody => ({ kind: 'refused', why });
  const raw = parseJson(text);
  const body = requestBody.safeParse(raw).data;
  if (body === undefined) return refused('This is not a request to the Messages API.');
  const tool = body.tools?.find(({ type }) => type !== undefined && SERVER_TOOL.test(type));
  if (tool !== undefined) return refused(`The tool ${tool.type ?? ''} is not allowed here.`);
  if ((body.mcp_servers ?? []).length > 0) return refused('MCP servers are not allowed here.');
  if (body.container != null) return refused('Containers are not allowed here.');
  if (body.messages.some((message) => isFetched(message.content))) {
    return refused('Content that the API fetches by URL is not allowed here.');
  }
  // Written anew: of a key that comes twice, the API might read the other one.
  return { kind: 'allowed', bytes: Buffer.from(JSON.stringify(raw)), model: body.model };
}

function isFetched(blocks: z.infer<typeof content> | undefined): boolean {
  if (blocks === undefined || typeof blocks === 'string') return false;
  return blocks.some(({ source, content }) => source?.type === 'url' || isFetched(content));
}
