import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { readBody as readBounded } from '../../streams/read-body.js';
import { ApiError } from './api-error.js';

/** No request is larger. */
const MAX_BYTES = 64 * 1024;

/** The JSON of a request; `undefined` when it is empty. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const text = await readText(request);
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(['The body is not JSON.']);
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const body = await readBounded(request, { maxBytes: MAX_BYTES });
  if (body === 'too-long') throw tooLong();
  // The client is gone, so there is no answer.
  if (typeof body === 'string') throw new Error(`the body of a request was ${body}`);
  return body.toString('utf8').trim();
}

const tooLong = (): ApiError =>
  new ApiError(413, 'too-long', {
    message: `The body is longer than ${MAX_BYTES / 1024} KiB.`,
    remedy: 'Options are all it may hold.',
    headers: { connection: 'close' },
  });

/** Parses a value and reports all its problems at once. */
export function parseBody<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(
    result.error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`)),
  );
}

/** Parses a query, in which every name may occur once. */
export function parseQuery<T>(schema: z.ZodType<T>, query: URLSearchParams): T {
  const twice = [...query.keys()].find((name) => query.getAll(name).length > 1);
  if (twice !== undefined) throw invalid([`${twice}: given more than once`]);
  return parseBody(schema, Object.fromEntries(query));
}

export const invalid = (reasons: readonly string[]): ApiError =>
  new ApiError(422, 'invalid', {
    message: 'The request is not understood.',
    remedy: 'See docs/api.md, or GET /api/openapi.json, for what can be asked.',
    reasons,
  });
