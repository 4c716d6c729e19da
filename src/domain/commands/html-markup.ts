/* HTML as it appears in Markdown, by the rules of CommonMark 0.31. */

const ATTRIBUTE = String.raw`\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*(?:[^\s"'=<>` + '`' + String.raw`]+|'[^']*'|"[^"]*"))?`;

/** A whole tag, opening or closing. */
export const HTML_TAG = String.raw`<(?:[A-Za-z][A-Za-z0-9-]*(?:${ATTRIBUTE})*\s*/?|/[A-Za-z][A-Za-z0-9-]*\s*)>`;

const BLOCK_NAMES =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';

const BLOCK_TAG = new RegExp(`^</?(?:${BLOCK_NAMES})(?:\\s|/?>|$)`, 'i');
const LONE_TAG = new RegExp(`^(?:${HTML_TAG})\\s*$`);

/** How a block of raw HTML ends: on the line that matches, or before the next blank line. */
export type HtmlEnd = RegExp | 'blank line';

const ENDED_BY_MARK: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?:\s|>|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![A-Za-z]/, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
];

/** Whether a line begins a block of raw HTML, and how the block ends. Tags with other names cannot interrupt a paragraph. */
export function htmlBlockEnd(line: string, inParagraph: boolean): HtmlEnd | null {
  const text = line.trimStart();
  if (!text.startsWith('<')) return null;
  const marked = ENDED_BY_MARK.find(([start]) => start.test(text));
  if (marked !== undefined) return marked[1];
  if (BLOCK_TAG.test(text)) return 'blank line';
  return !inParagraph && LONE_TAG.test(text) ? 'blank line' : null;
}
