import { z } from 'zod';
import type { Clock } from '../../../../ports/clock.js';
import { GitHubError } from '../../../../ports/github.js';
import { contextOf, type Response, routeOf, type Rule } from './rule.js';

/** The version of the REST API that our endpoints are written for; without the header GitHub chooses one. */
const API_VERSION = '2022-11-28';
const DEADLINE_MS = 30_000;

const refusedSchema = z.object({
  response: z.object({
    status: z.number(),
    url: z.string(),
    headers: z.record(z.string(), z.coerce.string()),
    data: z.unknown(),
  }),
});

/** Sends a request once, and not after its deadline. A refusal is a normal response; no response is a transient error. */
export const sendOnce =
  (clock: Clock): Rule =>
  async (send, options) => {
    const route = routeOf(options);
    const { notAfter = Infinity } = contextOf(options);
    if (clock.steady() > notAfter) throw new GitHubError('outdated', `${route}: what it was decided from is too old`);
    const deadline = new AbortController();
    const cancel = clock.at(clock.now() + DEADLINE_MS, () => deadline.abort());
    try {
      const headers = { ...options.headers, 'x-github-api-version': API_VERSION };
      const request = { ...options.request, signal: deadline.signal };
      return withDate(await send({ ...options, headers, request }), clock);
    } catch (error) {
      const refused = refusedSchema.safeParse(error);
      if (refused.success) return withDate(refused.data.response, clock);
      throw new GitHubError('transient', `${route}: ${deadline.signal.aborted ? 'no answer in time' : reason(error)}`);
    } finally {
      cancel();
    }
  };

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A proxy may remove the date header; then our own clock is used. */
function withDate(response: Response, clock: Clock): Response {
  const isDated = !Number.isNaN(Date.parse(response.headers.date ?? ''));
  if (isDated) return response;
  return { ...response, headers: { ...response.headers, date: new Date(clock.now()).toISOString() } };
}
