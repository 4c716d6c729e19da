import { z } from 'zod';

/** A variable: how its text is understood (`null`: not at all) and what people are told then. */
export function variable<T>(remedy: string, read: (text: string | undefined) => T | null) {
  return z
    .string()
    .optional()
    .transform((text, context): T => {
      const value = read(text);
      if (value !== null) return value;
      context.addIssue(`${text === undefined ? 'is missing' : 'is not usable'}: ${remedy}`);
      return z.NEVER;
    });
}
