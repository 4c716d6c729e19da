import type { z } from 'zod';
import { GitHubError, UnmodelledError } from '../world/errors.js';

/** Parses `value` with a strict version of `schema`. Keys we do not know are unmodelled; wrong values are GitHub's 422. */
export function parseStrictly(
  schema: z.ZodObject | null,
  value: Readonly<Record<string, unknown>>,
  where: string,
): unknown {
  if (schema === null) {
    const [key] = Object.keys(value);
    if (key !== undefined) throw new UnmodelledError(`${where} "${key}"`);
    return {};
  }
  const parsed = schema.strict().safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    if (issue.code === 'unrecognized_keys')
      throw new UnmodelledError(`${where} "${[...issue.path, issue.keys[0]].join('.')}"`);
  }
  const first = parsed.error.issues[0];
  const field = first?.path.join('.') ?? '';
  throw new GitHubError(
    422,
    `Invalid request.\n\nInvalid input: ${field || 'body'}: ${first?.message ?? 'not understood'}.`,
  );
}
