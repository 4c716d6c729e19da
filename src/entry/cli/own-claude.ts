import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const manifestSchema = z.object({
  name: z.string().startsWith('@anthropic-ai/claude-code'),
  version: z.string(),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

/** The package holds a short placeholder until its install script has run. */
const PLACEHOLDER_BYTES = 4_096;

/** The `claude` that npm installed with us: next to our dependencies in a clone, or next to us when we are one. */
export function ownClaude(from: string = import.meta.url): string | null {
  const manifest = resolve(from, '@anthropic-ai/claude-code/package.json');
  if (manifest === null) return null;
  const program = join(dirname(manifest), 'bin/claude.exe');
  if (existsSync(program) && statSync(program).size >= PLACEHOLDER_BYTES) return realpathSync(program);
  return platformClaude(manifest);
}

/** With `npm ci --ignore-scripts` the program is only in the platform package that npm chose. */
function platformClaude(manifest: string): string | null {
  for (const name of Object.keys(readManifest(manifest)?.optionalDependencies ?? {})) {
    const found = resolve(manifest, `${name}/package.json`);
    const program = found === null ? null : join(dirname(found), 'claude');
    if (program !== null && existsSync(program)) return realpathSync(program);
  }
  return null;
}

/** The version of npm's `claude`, or the path of another. */
export function claudeName(program: string): string {
  const folder = dirname(program);
  const manifest = readManifest(join(folder, '..', 'package.json')) ?? readManifest(join(folder, 'package.json'));
  return manifest?.version ?? program;
}

function readManifest(file: string): z.infer<typeof manifestSchema> | undefined {
  return existsSync(file) ? manifestSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data : undefined;
}

function resolve(from: string, specifier: string): string | null {
  try {
    return createRequire(from).resolve(specifier);
  } catch {
    return null;
  }
}
