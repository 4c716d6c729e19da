import { z } from 'zod';

export type ConfigReading<Settings> =
  | { readonly kind: 'valid'; readonly settings: Settings }
  /** Each names a variable, and what to do about it. Never its value, which may be a secret. */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

export type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_PORT = 3000;

/** A variable: how its text is parsed (`null`: invalid), and what to tell people if it is invalid. */
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

export const address = (protocols: RegExp, text: string): URL | null =>
  URL.canParse(text) && protocols.test(new URL(text).protocol) ? new URL(text) : null;

export function wholeNumber(text: string, least: number, most: number): number | null {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : null;
}

/** The port to listen on. */
export const port = (least: number) =>
  variable(`use a number from ${least} to 65535; without it, ${DEFAULT_PORT}.`, (text = String(DEFAULT_PORT)) =>
    wholeNumber(text, least, 65_535),
  );

/** The value of a variable. An empty one counts as unset. */
export const valueOf = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

/** Two variables, of which one is needed, under one name in messages. */
const CREDENTIAL = 'ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN';

/** The settings, or everything that is wrong with them. */
export function readSettings<Settings>(schema: z.ZodType<Settings>, values: unknown): ConfigReading<Settings> {
  const result = schema.safeParse(values);
  if (result.success) return { kind: 'valid', settings: result.data };
  const problems = result.error.issues.map(({ path, message }) => {
    const name = path.at(-1);
    return name === 'CREDENTIAL' ? `${CREDENTIAL}${message}` : `${String(name)} ${message}`;
  });
  return { kind: 'invalid', problems };
}
