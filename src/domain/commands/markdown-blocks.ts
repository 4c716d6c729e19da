import { type HtmlEnd, htmlBlockEnd } from './html-markup.js';

/*
 * The block structure of Markdown, by the rules of CommonMark and only as far as needed to tell text from code and quotes.
 * Written by hand, because the time for hostile text must be bounded: see decision 14.
 */

/** A part of a comment that is parsed as one: a paragraph, a heading, or raw HTML. Code is in no block. */
export interface Block {
  readonly kind: 'text' | 'html';
  /** In a block quote at any depth, including lines that continue a quoted paragraph without `>`. */
  readonly quoted: boolean;
  readonly lines: readonly BlockLine[];
}

export interface BlockLine {
  /** Line number in the comment, from 0. */
  readonly index: number;
  /** Without the marks of the quotes and lists it is in. */
  readonly text: string;
}

interface OpenBlock extends Block {
  readonly lines: BlockLine[];
}

type Container =
  | { readonly kind: 'quote' }
  /** A list item: lines indented this far belong to it. `empty` until it has content. */
  | { readonly kind: 'item'; readonly indent: number; empty: boolean };

interface Fence {
  readonly kind: 'fence';
  readonly mark: string;
}

type Leaf =
  | { readonly kind: 'none' }
  | { readonly kind: 'paragraph'; readonly block: OpenBlock }
  | { readonly kind: 'html'; readonly block: OpenBlock; readonly end: HtmlEnd }
  | Fence;

const NONE: Leaf = { kind: 'none' };

/** Deeper than anybody nests; bounds the work per line. */
const MAX_DEPTH = 50;

const QUOTE = /^ {0,3}> ?/;
const FENCE = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;
const HEADING = /^ {0,3}#{1,6}(?: |$)/;
const UNDERLINE = /^ {0,3}(?:=+|-+) *$/;
const RULE = /^ {0,3}([-*_])(?: *\1){2,} *$/;
const ITEM = /^( {0,3}(?:[-+*]|(\d{1,9})[.)]))( +|$)/;

/** Two readings of Markdown, for texts that GitHub and CommonMark read differently. */
export type Reading =
  /** As CommonMark says: a fence in a list item ends with the item; a tag continues a paragraph it can belong to. */
  | 'strict'
  /** A fence in a list item lasts until it is closed, as its author may have meant; a tag ends a quote, as on GitHub. */
  | 'lenient';

/** The blocks of a comment in order, from its lines. */
export function blocksOf(lines: readonly string[], reading: Reading): readonly Block[] {
  const reader = new BlockReader(reading);
  lines.forEach((line, index) => reader.read(expandTabs(line), index));
  return reader.blocks;
}

class BlockReader {
  readonly blocks: Block[] = [];
  readonly #containers: Container[] = [];
  readonly #reading: Reading;
  #leaf: Leaf = NONE;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  read(line: string, index: number): void {
    const { matched, rest } = this.#continued(line);
    if (this.#leaf.kind === 'fence' && this.#inFence(this.#leaf, rest, matched)) return;
    if (this.#leaf.kind === 'html' && this.#inHtml(this.#leaf, rest, matched, index)) return;
    this.#place(rest, index, matched);
  }

  /** How many of the open quotes and items the line continues, and the rest of the line inside them. */
  #continued(line: string): { matched: number; rest: string } {
    let rest = line;
    let matched = 0;
    for (const container of this.#containers) {
      if (container.kind === 'quote') {
        const mark = QUOTE.exec(rest)?.[0];
        if (mark === undefined) break;
        rest = rest.slice(mark.length);
      } else if (isBlank(rest)) {
        if (container.empty) break;
      } else {
        if (indentOf(rest) < container.indent) break;
        rest = rest.slice(container.indent);
        container.empty = false;
      }
      matched += 1;
    }
    return { matched, rest };
  }

  #inFence(fence: Fence, rest: string, matched: number): boolean {
    const left = this.#containers.slice(matched);
    const isOver = this.#reading === 'strict' ? left.length > 0 : left.some(({ kind }) => kind === 'quote');
    this.#leaf = isOver || closes(fence.mark, rest) ? NONE : fence;
    if (!isOver) this.#containers.length = matched;
    return !isOver;
  }

  #inHtml({ block, end }: Extract<Leaf, { kind: 'html' }>, rest: string, matched: number, index: number): boolean {
    const over = matched < this.#containers.length || (end === 'blank line' && isBlank(rest));
    if (over) {
      this.#leaf = NONE;
      return false;
    }
    block.lines.push({ index, text: rest });
    if (end !== 'blank line' && end.test(rest)) this.#leaf = NONE;
    return true;
  }

  /** Finds the block a line belongs to when it is neither fenced nor raw HTML. */
  #place(line: string, index: number, matched: number): void {
    let rest = line;
    let paragraph = this.#leaf.kind === 'paragraph' ? this.#leaf.block : null;
    let closed = false;
    const direct = (): boolean => paragraph !== null && matched === this.#containers.length;
    const close = (): void => {
      if (!closed) this.#containers.length = matched;
      closed = true;
      paragraph = null;
      this.#leaf = NONE;
    };
    while (!isBlank(rest) && indentOf(rest) < 4) {
      const inside = this.#entered(rest, direct(), close);
      if (inside !== null) {
        rest = inside;
        continue;
      }
      if (direct() && UNDERLINE.test(rest)) return close();
      const inParagraph = this.#reading === 'strict' ? paragraph !== null : direct();
      const leaf = this.#leafAt(rest, index, inParagraph, close);
      if (leaf !== null) {
        this.#leaf = leaf;
        return;
      }
      break;
    }
    if (isBlank(rest)) return close();
    // Text continues the paragraph before it, even without repeating the marks of the quote or item around it.
    if (paragraph !== null) paragraph.lines.push({ index, text: rest.trimStart() });
    else {
      close();
      if (indentOf(rest) < 4) this.#leaf = { kind: 'paragraph', block: this.#opened('text', index, rest.trimStart()) };
    }
  }

  /** Enters the quote or list item that begins here. Returns the rest of the line, or `null` when none begins. */
  #entered(rest: string, direct: boolean, close: () => void): string | null {
    if (this.#containers.length >= MAX_DEPTH) return null;
    const quote = QUOTE.exec(rest)?.[0];
    if (quote !== undefined) {
      close();
      this.#containers.push({ kind: 'quote' });
      return rest.slice(quote.length);
    }
    if (RULE.test(rest) || (direct && UNDERLINE.test(rest))) return null;
    const item = itemAt(rest, direct);
    if (item === null) return null;
    close();
    const content = rest.slice(item.indent);
    this.#containers.push({ kind: 'item', indent: item.indent, empty: isBlank(content) });
    return content;
  }

  /** The block other than a paragraph that begins here; `null` when there is none. */
  #leafAt(rest: string, index: number, inParagraph: boolean, close: () => void): Leaf | null {
    if (HEADING.test(rest)) {
      close();
      this.#opened('text', index, rest.trimStart());
      return NONE;
    }
    const [, ticks, tildes] = FENCE.exec(rest) ?? [];
    const mark = ticks ?? tildes;
    if (mark !== undefined) {
      close();
      return { kind: 'fence', mark };
    }
    if (RULE.test(rest)) {
      close();
      return NONE;
    }
    const end = htmlBlockEnd(rest, inParagraph);
    if (end === null) return null;
    close();
    const block = this.#opened('html', index, rest);
    return end !== 'blank line' && end.test(rest) ? NONE : { kind: 'html', block, end };
  }

  #opened(kind: Block['kind'], index: number, text: string): OpenBlock {
    const quoted = this.#containers.some((container) => container.kind === 'quote');
    const block: OpenBlock = { kind, quoted, lines: [{ index, text }] };
    this.blocks.push(block);
    return block;
  }
}

/** The list item that begins here. Inside a paragraph, only an item with content and, if numbered, number 1 counts. */
function itemAt(text: string, inParagraph: boolean): { readonly indent: number } | null {
  const match = ITEM.exec(text);
  if (match === null) return null;
  const [whole, mark = '', number, spaces = ''] = match;
  const empty = isBlank(text.slice(whole.length));
  if (inParagraph && (empty || (number !== undefined && Number(number) !== 1))) return null;
  return { indent: mark.length + (empty || spaces.length > 4 ? 1 : spaces.length) };
}

function closes(mark: string, text: string): boolean {
  const [, found = ''] = /^ {0,3}(`{3,}|~{3,}) *$/.exec(text) ?? [];
  return found.startsWith(mark);
}

const isBlank = (text: string): boolean => /^ *$/.test(text);

const indentOf = (text: string): number => /^ */.exec(text)?.[0].length ?? 0;

/** Tabs count as spaces up to the next multiple of four. */
function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let column = 0;
  return line
    .split('\t')
    .map((part, index, { length }) => {
      column += part.length;
      if (index === length - 1) return part;
      const width = 4 - (column % 4);
      column += width;
      return part + ' '.repeat(width);
    })
    .join('');
}
