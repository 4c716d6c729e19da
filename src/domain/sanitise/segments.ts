/** A part of a Markdown text. */
export type Segment =
  /** Fenced code, with both its fences; `close` is `null` when nothing ends it. */
  | { readonly kind: 'fenced'; readonly open: string; readonly body: readonly string[]; readonly close: string | null }
  /** Everything else. With `html`, it is between a line that begins with a tag and the next empty line, where Markdown is not read. */
  | { readonly kind: 'prose'; readonly text: string; readonly html: boolean };

export interface SegmentRules {
  /** Matches a line that begins a block of HTML, without its list and quote marks; `null`: no line does. */
  readonly html: RegExp | null;
  /** Whether comments and footnotes can contain fences. Not needed where both are escaped anyway. */
  readonly hides: boolean;
}

interface Fence {
  readonly mark: string;
  readonly indent: number;
  readonly open: string;
}

const FENCE = /^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})/;
/** List markers and quotes: blocks that contain other blocks. */
const INSIDE = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|>)[ \t]*)+/;
/** The same, and footnotes. */
const INSIDE_OR_NOTE = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|>|\[\^[^\]]*\]:)[ \t]*)+/;

/**
 * Separates code from prose without a parser, and therefore only where every parser would agree. `null` means: not certain. The
 * caller then treats nothing as code, which looks worse but is safe.
 */
export function segmentsOf(text: string, rules: SegmentRules): readonly Segment[] | null {
  const segments: Segment[] = [];
  let prose: string[] = [];
  let html = false;
  let hiding = false;
  let fence: (Fence & { readonly body: string[] }) | null = null;
  const endProse = (): void => {
    if (prose.length > 0) segments.push({ kind: 'prose', text: prose.join('\n'), html });
    prose = [];
  };
  const inside = rules.hides ? INSIDE_OR_NOTE : INSIDE;
  for (const line of text.split('\n')) {
    if (fence !== null) {
      const end = endsFence(line, fence);
      if (end === 'unsure') return null;
      if (!end) fence.body.push(line);
      else {
        segments.push({ kind: 'fenced', open: fence.open, body: fence.body, close: line });
        fence = null;
      }
      continue;
    }
    if (hiding) {
      prose.push(line);
      hiding = !line.includes('-->') || hidesRest(line.slice(line.indexOf('-->') + 3));
      continue;
    }
    const opened = opensFence(line, inside);
    if (opened === 'unsure' || (opened !== null && html)) return null;
    if (opened !== null) {
      endProse();
      fence = { ...opened, body: [] };
      continue;
    }
    const rest = line.replace(inside, '').trimStart();
    const starts = rules.html?.test(rest) === true;
    // A script or <pre> may end anywhere, so what is inside it is not certain.
    if (starts && /^<(?:script|pre|style|textarea)\b/i.test(rest)) return null;
    if (html !== starts && (line.trim() === '' || starts)) {
      endProse();
      html = starts;
    }
    prose.push(line);
    hiding = rules.hides && hidesRest(line);
  }
  endProse();
  if (fence !== null) segments.push({ kind: 'fenced', open: fence.open, body: fence.body, close: null });
  return segments;
}

/** Whether a comment begins in a line and continues after it. */
const hidesRest = (line: string): boolean => line.lastIndexOf('<!--') > line.lastIndexOf('-->');

function opensFence(line: string, inside: RegExp): Fence | 'unsure' | null {
  const match = FENCE.exec(line);
  if (match === null) {
    // A fence inside a list or quote ends with it, and where that is, is not certain.
    const content = line.replace(inside, '');
    return content !== line && FENCE.test(content) ? 'unsure' : null;
  }
  const [, indent = '', mark = ''] = match;
  return indent.includes('\t') || indent.length > 3 ? 'unsure' : { mark, indent: indent.length, open: line };
}

function endsFence(line: string, { mark, indent }: Fence): boolean | 'unsure' {
  if (line.trim() === '') return false;
  const lead = /^[ \t]*/.exec(line)?.[0] ?? '';
  // An indented fence may belong to a list item, which this line would end.
  if (indent > 0 && (lead.length < indent || lead.includes('\t'))) return 'unsure';
  const rest = line.slice(lead.length).trimEnd();
  const ends = rest.startsWith(mark) && rest.replaceAll(mark.charAt(0), '') === '';
  if (!ends || (lead.length <= 3 && !lead.includes('\t'))) return ends;
  return indent > 0 ? 'unsure' : false;
}
