/** A new function: `name(parameters)` in `path` returns `expression`. */
export interface WishedFunction {
  readonly name: string;
  readonly parameters: string;
  readonly path: string;
  readonly expression: string;
}

/** `name` throws a `RangeError` when `condition`, as in `call`. */
export interface WishedGuard {
  readonly name: string;
  readonly path: string | null;
  readonly error: string;
  readonly condition: string;
  readonly call: string | null;
}

/** `call` is `value`. */
export interface WishedExample {
  readonly name: string;
  readonly call: string;
  readonly value: string;
}

/** Replace `old` with `new` in `path`. */
export interface WishedReplacement {
  readonly old: string;
  readonly new: string;
  readonly path: string;
}

/** What an issue asks for, in the few phrases the brain understands. */
export interface Wish {
  readonly functions: readonly WishedFunction[];
  readonly guards: readonly WishedGuard[];
  readonly examples: readonly WishedExample[];
  readonly replacements: readonly WishedReplacement[];
  readonly size: 'XS' | 'S' | 'M' | 'L' | 'XL';
}

const SIZE_HINTS = [
  ['XL', /several independent/i],
  ['L', /about (?:six|seven|eight|nine) files/i],
  ['M', /about (?:three|four|five) files/i],
  ['S', /one file/i],
  ['XS', /one line/i],
] as const;

export function readWish(text: string): Wish {
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

/** The guards a sentence speaks of: an issue's, or a criterion's. */
export function guardsIn(text: string): WishedGuard[] {
  const pattern = /`(\w+)`(?: in `([\w./-]+)`)? throws an? `(\w+)` when `([^`]+)`(?:, as in `([^`]+)`)?/g;
  return all(text, pattern).map(([name = '', path, error = '', condition = '', call]) => ({
    name,
    path: path ?? null,
    error,
    condition,
    call: call ?? null,
  }));
}

export function guardSentence({ name, path, error, condition }: WishedGuard): string {
  return `\`${name}\`${path === null ? '' : ` in \`${path}\``} throws a \`${error}\` when \`${condition}\``;
}

export function isUnderstood({ functions, guards, replacements }: Wish): boolean {
  return functions.length + guards.length + replacements.length > 0;
}

/** Every file the wish is about, tests and README too. */
export function filesOf(wish: Wish): readonly string[] {
  const { functions, guards, examples } = wish;
  const tested = [...examples, ...guards.filter(({ call }) => call !== null)].map(({ name }) => testPath(name));
  const documents = functions.length === 0 ? [] : ['README.md'];
  return [...new Set([...namedFiles(wish), ...tested, ...documents])];
}

/** The files the wish names itself. */
export function namedFiles({ functions, guards, replacements }: Wish): readonly string[] {
  return [...new Set([...functions, ...guards, ...replacements].flatMap(({ path }) => path ?? []))];
}

const SIZES = ['XS', 'S', 'M', 'L', 'XL'] as const;

/** The size that goes with so many files. One file may be either of the smallest. */
export function sizeOfFiles(count: number): Wish['size'] {
  return count <= 2 ? 'S' : count <= 5 ? 'M' : count <= 10 ? 'L' : 'XL';
}

export const isLarger = (one: Wish['size'], other: string): boolean =>
  SIZES.findIndex((size) => size === other) < SIZES.indexOf(one);

export function testPath(name: string): string {
  return `test/${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.test.js`;
}

const all = (text: string, pattern: RegExp): (string | undefined)[][] =>
  [...text.matchAll(pattern)].map(([, ...groups]) => groups);
