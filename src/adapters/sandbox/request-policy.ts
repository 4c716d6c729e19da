import { z } from 'zod';

const PATHS = ['/v1/messages', '/v1/messages/count_tokens'];

/** Tools the API runs on its own side, with a network that the sandbox does not have. */
const SERVER_TOOL = /^(web_search|web_fetch|code_execution|mcp)/;

const requestBody = z.looseObject({
  messages: z.array(z.unknown()),
  tools: z.array(z.looseObject({ type: z.string().optional() })).optional(),
  mcp_servers: z.array(z.unknown()).optional(),
  container: z.unknown().optional(),
});

export interface Refusal {
  readonly status: 400 | 404;
  readonly message: string;
}

export function refuseTarget(method: string | undefined, url: string | undefined): Refusal | null {
  const path = (url ?? '').split('?')[0] ?? '';
  if (method === 'POST' && PATHS.includes(path)) return null;
  return { status: 404, message: `This proxy does not pass on ${method ?? ''} ${path}.` };
}

/** What would let the API reach the network in the agent's place, and carry out what the sandbox keeps in. */
export function refuseBody(text: string): Refusal | null {
  const refuse = (message: string): Refusal => ({ status: 400, message });
  const body = requestBody.safeParse(readJson(text)).data;
  if (body === undefined) return refuse('This is not a request to the Messages API.');
  const tool = body.tools?.find(({ type }) => type !== undefined && SERVER_TOOL.test(type));
  if (tool !== undefined) return refuse(`This proxy does not allow the tool ${tool.type ?? ''}.`);
  if ((body.mcp_servers ?? []).length > 0) return refuse('This proxy does not allow MCP servers.');
  if (body.container != null) return refuse('This proxy does not allow containers.');
  return refersToUrl(body.messages) ? refuse('This proxy does not allow sources that are fetched by URL.') : null;
}

/** Whether a content block, however deep, is to be fetched by the API: `"source": { "type": "url" }`. */
function refersToUrl(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(refersToUrl);
  return Object.entries(value).some(([key, item]) => (key === 'source' && isUrlSource(item)) || refersToUrl(item));
}

function isUrlSource(source: unknown): boolean {
  return typeof source === 'object' && source !== null && 'type' in source && source.type === 'url';
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
