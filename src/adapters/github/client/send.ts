import { request } from '@octokit/request';
import { z } from 'zod';
import type { Clock, Instant } from '../../../ports/clock.js';
import { GitHubError } from '../../../ports/github.js';
import type { Answer } from './errors.js';

export interface OutgoingRequest {
  /** Method and path, or method and whole address: `GET /repos/{owner}/{repo}/installation`. */
  readonly route: string;
  /** Fills the path; the rest is the query or the body. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** `null` asks as nobody. */
  readonly authorization: string | null;
  /** By our own steady clock: later it is not sent at all. */
  readonly notAfter?: Instant;
}

/** Sends a request, once. Every answer is a value, also a refusal; no answer is a transient error. */
export type Send = (outgoing: OutgoingRequest) => Promise<Answer>;

const DEADLINE_MS = 30_000;

const answerSchema = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.coerce.string()),
  data: z.unknown(),
});

export function createSend({ apiUrl, clock }: { readonly apiUrl: string; readonly clock: Clock }): Send {
  const api = request.defaults({ baseUrl: apiUrl, headers: { 'user-agent': 'sluice' } });
  return async ({ route, parameters, authorization, notAfter = Infinity }) => {
    if (clock.steady() > notAfter) throw new GitHubError('outdated', `${route}: what it was decided from is too old`);
    const deadline = new AbortController();
    const cancel = clock.at(clock.now() + DEADLINE_MS, () => deadline.abort());
    try {
      const headers = authorization === null ? {} : { authorization };
      return answerOf(await api(route, { ...parameters, headers, request: { signal: deadline.signal } }), clock);
    } catch (error) {
      const refusal = z.object({ response: answerSchema }).safeParse(error);
      if (refusal.success) return answerOf(refusal.data.response, clock);
      throw new GitHubError('transient', `${route}: ${deadline.signal.aborted ? 'no answer in time' : reason(error)}`);
    } finally {
      cancel();
    }
  };
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function answerOf(response: unknown, clock: Clock): Answer {
  const answer = answerSchema.parse(response);
  const at = Date.parse(answer.headers['date'] ?? '');
  return { ...answer, at: Number.isNaN(at) ? clock.now() : at };
}
