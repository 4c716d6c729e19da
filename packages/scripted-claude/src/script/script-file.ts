import { parseDocument } from 'yaml';
import { z } from 'zod';
import type { Script } from './script.js';
import { turnSchema } from './turn-schema.js';

const texts = z.union([z.string(), z.array(z.string())]);

const issue = z.union([
  z.int().min(1),
  z.string().regex(/^[\w.-]+\/[\w.-]+#\d+$/, 'give a number or owner/name#number'),
]);

const matcher = z.strictObject({
  skill: z.string().exactOptional(),
  issue: issue.exactOptional(),
  turn: z.int().min(0).exactOptional(),
  promptIncludes: texts.exactOptional(),
  latestIncludes: texts.exactOptional(),
  model: z.string().exactOptional(),
  tool: z.string().exactOptional(),
  stream: z.boolean().exactOptional(),
});

const script = z.strictObject({
  name: z.string().min(1),
  when: matcher.default({}),
  times: z.int().min(1).exactOptional(),
  capture: z
    .record(z.string().regex(/^\w+$/), z.string().refine(isRegExp, 'is not a regular expression'))
    .exactOptional(),
  turns: z.array(turnSchema).min(1),
});

const scriptFile = z.strictObject({ scripts: z.array(script).min(1) });

export type ScriptFile = { readonly scripts: readonly Script[] } | { readonly problems: readonly string[] };

/** Reads scripts from YAML or JSON. Reports every problem at once, each with its place. */
export function parseScriptFile(text: string): ScriptFile {
  const document = parseDocument(text);
  if (document.errors.length > 0) return { problems: document.errors.map((error) => error.message) };
  const parsed = scriptFile.safeParse(document.toJS());
  if (parsed.success) return { scripts: parsed.data.scripts };
  return { problems: parsed.error.issues.map((issue) => `${placeOf(issue.path)}: ${issue.message}`) };
}

function placeOf(path: readonly PropertyKey[]): string {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return place.replace(/^\./, '') || 'file';
}

function isRegExp(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}
