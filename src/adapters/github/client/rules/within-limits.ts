import type { Call, RateLimits } from '../rate-limits.js';
import { answerOf, contextOf, isGraphql, type RequestOptions, type Rule } from './rule.js';

/** Sends when GitHub's limits allow. A late document is built then. */
export const withinLimits =
  (limits: RateLimits): Rule =>
  async (send, options) => {
    const key = rateLimitKeyOf(options);
    if (key === null) return send(options);
    const { late } = contextOf(options);
    const { response } = await limits.through(key, callOf(options), async () => {
      const sent = await send(late === undefined ? options : { ...options, ...late() });
      return { ...answerOf(sent), response: sent };
    });
    return response;
  };

function callOf(options: RequestOptions): Call {
  const { writes = options.method === 'GET' ? 0 : 1, notAfter, share, about } = contextOf(options);
  return {
    budget: isGraphql(options) ? 'graphql' : 'core',
    writes,
    ...(notAfter === undefined ? {} : { notAfter }),
    ...(share === undefined ? {} : { share }),
    ...(about === undefined ? {} : { about }),
  };
}

interface CountedRequest {
  readonly rateLimitKey: string | null;
}

/** Sets the key of the limits a request counts against. */
export const withRateLimitKey = (options: RequestOptions, rateLimitKey: string | null): RequestOptions => ({
  ...options,
  request: { ...options.request, rateLimitKey },
});

const rateLimitKeyOf = ({ request }: RequestOptions): string | null =>
  (request as Partial<CountedRequest>).rateLimitKey ?? null;
