import { parse, postprocess, preprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';

/* A full Markdown parser as an oracle for what is plain text. Slow and independent, to check our parser against. */

const NOT_TEXT: ReadonlySet<string> = new Set([
  'blockQuote',
  'codeFenced',
  'codeIndented',
  'codeText',
  'definition',
  'gfmFootnoteDefinition',
  'htmlFlow',
  'htmlText',
]);

/** The lines that begin with `/auto` and are neither code, quote nor HTML, from 0. */
export function plainCommandLines(body: string): readonly number[] {
  const chunks = preprocess()(body, undefined, true);
  const events = postprocess(
    parse({ extensions: [gfm()] })
      .document()
      .write(chunks),
  );
  const covered = events
    .filter(([kind, token]) => kind === 'enter' && NOT_TEXT.has(token.type))
    .map(([, { start, end }]) => ({ start, end }));
  const covers = (line: number): boolean =>
    covered.some(
      ({ start, end }) =>
        (start.line < line || (start.line === line && start.column === 1)) &&
        (end.line > line || (end.line === line && end.column > 1)),
    );
  return body
    .split(/\r\n|\n|\r/)
    .flatMap((line, index) => (/^\/auto(?:\s|$)/.test(line) && !covers(index + 1) ? [index] : []));
}
