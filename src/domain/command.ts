/** What a comment asks for. */
export type Command =
  /** Drive these issues; the one it stands on when none is named. */
  { readonly kind: 'auto'; readonly numbers: readonly number[] };

/** The first command of a comment: at the start of a line, outside quotes, code and HTML comments. `null` when there is none. */
export function parseCommand(body: string): Command | null {
  for (const line of plainLines(body)) {
    const [, rest] = /^\/auto(?:\s+(.*))?$/.exec(line.trimEnd()) ?? [];
    if (!/^\/auto(\s|$)/.test(line)) continue;
    const numbers = numbersIn(rest ?? '');
    if (numbers !== null) return { kind: 'auto', numbers };
  }
  return null;
}

/** `7`, `#7 #9`; anything else is not understood. */
function numbersIn(text: string): readonly number[] | null {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const numbers = words.map((word) => /^#?([1-9]\d{0,9})$/.exec(word)?.[1]);
  return numbers.includes(undefined) ? null : numbers.map(Number);
}

/** Lines that are neither quoted, indented as code, fenced, nor inside an HTML comment. */
function plainLines(body: string): string[] {
  const visible = body
    .replaceAll('\r\n', '\n')
    .replaceAll(/<!--[^]*?(-->|$)/g, (comment) => comment.replaceAll(/[^\n]/g, ' '));
  let fence: string | null = null;
  return visible.split('\n').filter((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) {
      fence = fence === null ? mark : null;
      return false;
    }
    return fence === null && !/^( {4}|\t|\s{0,3}>)/.test(line);
  });
}
