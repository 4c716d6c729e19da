import { readFileSync } from 'node:fs';
import { z } from 'zod';

const packageSchema = z.object({ version: z.string() });

/** The version in package.json, three folders above the compiled file. */
export function version(): string {
  return packageSchema.parse(JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')))
    .version;
}
