/** A new function: `name(parameters)` in `path` returns `expression`. */
export interface RequestedFunction {
  readonly name: string;
  readonly parameters: string;
  readonly path: string;
  readonly expression: string;
}

/** `name` throws a `RangeError` when `condition`, as in `call`. */
export interface RequestedGuard {
  readonly name: string;
  readonly path: string | null;
  readonly error: string;
  readonly condition: string;
  readonly call: string | null;
}

/** `call` is `value`. */
export interface RequestedExample {
  readonly name: string;
  readonly call: string;
  readonly value: string;
}

/** Replace `old` with `new` in `path`. */
export interface RequestedReplacement {
  readonly old: string;
  readonly new: string;
  readonly path: string;
}

/** What an issue asks for, in the few phrases the brain understands. */
export interface RequestedWork {
  readonly functions: readonly RequestedFunction[];
  readonly guards: readonly RequestedGuard[];
  readonly examples: readonly RequestedExample[];
  readonly replacements: readonly RequestedReplacement[];
  readonly size: 'XS' | 'S' | 'M' | 'L' | 'XL';
}

const SIZE_HINTS = [
  ['XL', /several independent/i],
  ['L', /about (?:six|seven|eight|nine) files/i],
  ['M', /about (?:three|four|five) files/i],
  ['S', /one file/i],
  ['XS', /one line/i],
] as const;

export function readRequestedWork(text: string): RequestedWork {
  const said = text.replaceAll(/\s+/g, ' ');
  const functions = all(said, /`(\w+)\(([\w, ]*)\)` in `([\w./-]+)` returns `([^`]+)`/g).map(
    ([name = '', parameters = '', path = '', expression = '']) => ({ name, parameters, path, expression }),
  );
  const examples = all(said, /`((\w+)\([^`]*\))` is `([^`]+)`/g).map(([call = '', name = '', value = '']) => ({
    name,
    call,
    value,
  }));
  const replacements = all(said, /replace `([^`]+)` with `([^`]+)` in `([\w./-]+)`/gi).map(
    ([old = '', next = '', path = '']) => ({ old, new: next, path }),
  );
  const guards = guardsIn(said).map((guard) => ({
    ...guard,
    path: guard.path ?? functions.find(({ name }) => name === guard.name)?.path ?? null,
  }));
  const size = SIZE_HINTS.find(([, hint]) => hint.test(said))?.[0] ?? 'S';
  return { functions, guards, examples, replacements, size };
}

/** The guards named in a sentence of an issue or a criterion. */
export function guardsIn(text: string): RequestedGuard[] {
  const pattern = /`(\w+)`(?: in `([\w./-]+)`)? throws an? `(\w+)` when `([^`]+)`(?:, as in `([^`]+)`)?/g;
  return all(text, pattern).map(([name = '', path, error = '', condition = '', call]) => ({
    name,
    path: path ?? null,
    error,
    condition,
    call: call ?? null,
  }));
}

export function guardSentence({ name, path, error, condition }: RequestedGuard): string {
  return `\`${name}\`${path === null ? '' : ` in \`${path}\``} throws a \`${error}\` when \`${condition}\``;
}

export function isUnderstood({ functions, guards, replacements }: RequestedWork): boolean {
  return functions.length + guards.length + replacements.length > 0;
}

/** Every file the work is about, tests and README too. */
export function filesOf(work: RequestedWork): readonly string[] {
  const { functions, guards, examples } = work;
  const tested = [...examples, ...guards.filter(({ call }) => call !== null)].map(({ name }) => testPath(name));
  const documents = functions.length === 0 ? [] : ['README.md'];
  return [...new Set([...namedFiles(work), ...tested, ...documents])];
}

/** The files the work names itself. */
export function namedFiles({ functions, guards, replacements }: RequestedWork): readonly string[] {
  return [...new Set([...functions, ...guards, ...replacements].flatMap(({ path }) => path ?? []))];
}

const SIZES = ['XS', 'S', 'M', 'L', 'XL'] as const;

/** The size for a number of files. One file may be XS or S. */
export function sizeOfFiles(count: number): RequestedWork['size'] {
  return count <= 2 ? 'S' : count <= 5 ? 'M' : count <= 10 ? 'L' : 'XL';
}

export const isLarger = (one: RequestedWork['size'], other: string): boolean =>
  SIZES.findIndex((size) => size === other) < SIZES.indexOf(one);

export function testPath(name: string): string {
  return `test/${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.test.js`;
}

const all = (text: string, pattern: RegExp): (string | undefined)[][] =>
  [...text.matchAll(pattern)].map(([, ...groups]) => groups);
