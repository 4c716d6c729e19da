import { posix } from 'node:path';
import { testPath, type RequestedWork, type RequestedFunction, type RequestedGuard } from './requested-work.js';

/** Files as the brain has seen them: path → text. A path that is not there yet is absent. */
export type Files = ReadonlyMap<string, string>;

/** Which file exports a function, as far as is known. */
export type Exports = ReadonlyMap<string, string>;

export interface Scope {
  readonly files: Files;
  readonly exports: Exports;
  /** The guards to add; the rest of the work is done anyway. */
  readonly guards: readonly RequestedGuard[];
  readonly withTests: boolean;
  readonly withDocuments: boolean;
}

/** The changed files after the work. */
export function fulfil(
  work: RequestedWork,
  { files, exports, guards, withTests, withDocuments }: Scope,
): Map<string, string> {
  const next = new Map(files);
  const known = new Map([...exports, ...work.functions.map(({ name, path }) => [name, path] as const)]);
  for (const wished of work.functions) next.set(wished.path, withFunction(next.get(wished.path) ?? '', wished, known));
  for (const guard of guards) {
    const path = guard.path ?? known.get(guard.name);
    if (path !== undefined) next.set(path, withGuard(next.get(path) ?? '', guard));
  }
  for (const { old, new: wanted, path } of work.replacements) {
    next.set(path, (next.get(path) ?? '').replaceAll(old, wanted));
  }
  if (withTests) for (const [path, text] of testsFor(work, guards, known)) next.set(path, text);
  if (withDocuments && work.functions.length > 0)
    next.set('README.md', withMentions(next.get('README.md') ?? '', work.functions));
  return new Map([...next].filter(([path, text]) => files.get(path) !== text));
}

function withFunction(
  source: string,
  { name, parameters, path, expression }: RequestedFunction,
  exports: Exports,
): string {
  if (source.includes(`export function ${name}(`)) return source;
  const needed = [...new Set([...expression.matchAll(/\b(\w+)\(/g)].map(([, used = '']) => used))].flatMap((used) => {
    const from = exports.get(used);
    return from === undefined || from === path || source.includes(`import { ${used} }`)
      ? []
      : [`import { ${used} } from '${relativeImport(path, from)}';\n`];
  });
  const imports = needed.length === 0 ? '' : `${needed.join('')}${source === '' ? '\n' : ''}`;
  const body = `export function ${name}(${parameters}) {\n  return ${expression};\n}\n`;
  return `${imports}${source}${source === '' ? '' : '\n'}${body}`;
}

/** The check goes first in the function, once. */
export function withGuard(source: string, guard: RequestedGuard): string {
  if (hasGuard(source, guard)) return source;
  const { name, error, condition } = guard;
  const opening = new RegExp(`export function ${name}\\([^)]*\\) \\{\\n`);
  return source.replace(opening, (line) => `${line}  if (${condition}) throw new ${error}('${name}: ${condition}');\n`);
}

export function hasGuard(source: string, { name, error, condition }: RequestedGuard): boolean {
  const body = source.split(`export function ${name}(`)[1]?.split('\nexport function ')[0] ?? '';
  return body.includes(`if (${condition}) throw new ${error}`);
}

function testsFor(
  { examples }: RequestedWork,
  guards: readonly RequestedGuard[],
  exports: Exports,
): [string, string][] {
  const names = new Set([...examples, ...guards.filter(({ call }) => call !== null)].map(({ name }) => name));
  return [...names].flatMap((name) => {
    const from = exports.get(name) ?? guards.find((guard) => guard.name === name)?.path;
    if (from === undefined || from === null) return [];
    const path = testPath(name);
    const lines = [
      ...examples
        .filter((example) => example.name === name)
        .map(({ call, value }) => `test('${call} is ${value}', () => assert.equal(${call}, ${value}));`),
      ...guards
        .filter((guard) => guard.name === name && guard.call !== null)
        .map(({ call, error }) => `test('${call} throws', () => assert.throws(() => ${call}, ${error}));`),
    ];
    const head = `import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { ${name} } from '${relativeImport(path, from)}';\n`;
    return [[path, `${head}\n${lines.join('\n')}\n`]];
  });
}

function withMentions(readme: string, functions: readonly RequestedFunction[]): string {
  const missing = functions.filter(({ name }) => !readme.includes(`\`${name}(`));
  const lines = missing.map(({ name, parameters, expression }) => `\`${name}(${parameters})\` is \`${expression}\`.\n`);
  return missing.length === 0 ? readme : `${readme.trimEnd()}\n\n${lines.join('\n')}`;
}

function relativeImport(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}
