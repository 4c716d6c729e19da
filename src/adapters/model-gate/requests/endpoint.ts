import type { Endpoint } from '../judge/judge-body.js';

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  '/v1/messages': 'message',
  '/v1/messages?beta=true': 'message',
  '/v1/messages/count_tokens': 'count',
  '/v1/messages/count_tokens?beta=true': 'count',
};

/** The endpoint of a request; `null` for all that answer with neither a message nor a count. */
export function endpointOf(method: string | undefined, url = ''): Endpoint | null {
  return method === 'POST' && Object.hasOwn(ENDPOINTS, url) ? (ENDPOINTS[url] ?? null) : null;
}
