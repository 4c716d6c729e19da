/** Longer addresses are not parsed, to bound the time. */
const LONGEST_ADDRESS = 1_000;

/** For every `[` of a text the `]` that ends it, paragraph by paragraph. Brackets in single-line code do not count. */
export function bracketPairs(text: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  let open: number[] = [];
  for (const { 0: match, index } of text.matchAll(/\\.|(`+)[^`\n]+\1(?!`)|[[\]]|\n[ \t]*\n/g)) {
    if (match === '[') open.push(index);
    else if (match === ']') {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, index);
    } else if (match.startsWith('\n')) open = [];
  }
  return pairs;
}

/** The link target after a `]` at a position, and where it ends. The title is skipped, because it shows only under the mouse pointer. */
export function linkTail(text: string, at: number): { readonly to: string; readonly end: number } | null {
  const start = endOf(/\s*/y, text, at + 2) ?? at + 2;
  const end = text.charAt(start) === '<' ? endOf(/<(?:\\.|[^<>\n\\])*>/y, text, start) : addressEnd(text, start);
  if (end === null) return null;
  const titled = endOf(TITLE, text, end) ?? end;
  const closed = endOf(/\s*\)/y, text, titled);
  if (end - start > LONGEST_ADDRESS) return { to: '…', end: closed ?? titled };
  return closed === null ? null : { to: text.slice(start, end), end: closed };
}

const TITLE = /\s+(?:"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|\((?:\\[^]|[^()\\])*\))(?=\s*\))/y;

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** The end of an address: no spaces, balanced brackets. */
function addressEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at <= start + LONGEST_ADDRESS; at += 1) {
    const char = text.charAt(at);
    if (char === '' || char <= ' ') return Math.min(at, text.length);
    if (char === '\\') at += 1;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth < 0) return at;
  }
  // Parsing a long address from many positions would take quadratic time, so it is skipped as a whole.
  return endOf(/\S*/y, text, start) ?? start;
}
