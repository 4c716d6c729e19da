import { HTML_TAG } from './html-markup.js';

/** What inline markup does to a text, in order. */
export type Mark =
  /** Not shown as text: code, a comment, the inside of a tag. */
  | { readonly kind: 'hidden'; readonly from: number; readonly to: number }
  /** A comment begins that does not end in this block. */
  | { readonly kind: 'comment'; readonly from: number }
  | { readonly kind: 'tag'; readonly from: number; readonly name: string; readonly closing: boolean };

/** Longer tags are read as text, so that the search for a tag takes bounded time. */
const MAX_TAG = 2_000;

const AUTOLINK = /^<(?:[A-Za-z][A-Za-z0-9.+-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9.-]+)>/;
const TAG = new RegExp(`^(?:${HTML_TAG})`);
const TAG_NAME = /^<(\/?)([A-Za-z][A-Za-z0-9-]*)(?=[\s/>]|$)/;

/** The marks of a block's text. In raw HTML there is no code by backticks and nothing is escaped. */
export function marksIn(text: string, kind: 'text' | 'html'): readonly Mark[] {
  return new MarkReader(text, kind === 'text').read();
}

class MarkReader {
  readonly #text: string;
  readonly #isMarkdown: boolean;
  readonly #marks: Mark[] = [];
  readonly #runs: ReadonlyMap<number, number[]>;
  readonly #found = new Map<string, number>();

  constructor(text: string, isMarkdown: boolean) {
    this.#text = text;
    this.#isMarkdown = isMarkdown;
    this.#runs = isMarkdown ? backtickRuns(text) : new Map();
  }

  read(): readonly Mark[] {
    const interesting = this.#isMarkdown ? /[\\`<]/g : /</g;
    for (let match = interesting.exec(this.#text); match !== null; match = interesting.exec(this.#text)) {
      interesting.lastIndex = this.#after(match[0], match.index);
    }
    return this.#marks;
  }

  /** Reads the markup that begins here and returns where to continue. */
  #after(character: string, at: number): number {
    if (character === '\\') return /[!-/:-@[-`{-~]/.test(this.#text.charAt(at + 1)) ? at + 2 : at + 1;
    if (character === '`') return this.#code(at);
    return this.#special(at) ?? this.#tag(at) ?? at + 1;
  }

  /** Code ends with the next run of equally many backticks. */
  #code(at: number): number {
    let start = at;
    while (this.#text.charAt(start) === '`') start += 1;
    const length = start - at;
    const runs = this.#runs.get(length) ?? [];
    // The last entry is the nearest. Entries before `start` are no longer needed.
    while ((runs.at(-1) ?? start) < start) runs.pop();
    const end = runs.at(-1);
    return end === undefined ? start : this.#hide(at, end + length);
  }

  /** Comments, processing instructions and declarations. */
  #special(at: number): number | null {
    const next = this.#text.slice(at, at + 9);
    if (next.startsWith('<!--')) {
      // `<!-->` and `<!--->` are whole comments.
      const end = this.#endOf('-->', at + 2);
      if (end !== null) return this.#hide(at, end);
      this.#marks.push({ kind: 'comment', from: at });
      return at + 4;
    }
    const closer = next.startsWith('<?')
      ? '?>'
      : next.startsWith('<![CDATA[')
        ? ']]>'
        : /^<![A-Za-z]/.test(next)
          ? '>'
          : null;
    const end = closer === null ? null : this.#endOf(closer, at + 2);
    return end === null ? null : this.#hide(at, end);
  }

  #tag(at: number): number | null {
    const ahead = this.#text.slice(at, at + MAX_TAG);
    const link = AUTOLINK.exec(ahead)?.[0];
    if (link !== undefined) return this.#hide(at, at + link.length);
    const [, slash, name] = TAG_NAME.exec(ahead) ?? [];
    const tag = TAG.exec(ahead)?.[0];
    if (name === undefined || this.#endOf('>', at) === null) return null;
    this.#marks.push({ kind: 'tag', from: at, name: name.toLowerCase(), closing: slash === '/' });
    return tag === undefined ? null : this.#hide(at, at + tag.length);
  }

  #hide(from: number, to: number): number {
    this.#marks.push({ kind: 'hidden', from, to });
    return to;
  }

  /** Where the next `closer` ends. The result is cached, so that many openers share one search. */
  #endOf(closer: string, from: number): number | null {
    const known = this.#found.get(closer) ?? -1;
    const index = known >= from ? known : this.#text.indexOf(closer, from);
    const found = index === -1 ? Number.POSITIVE_INFINITY : index;
    this.#found.set(closer, found);
    return found === Number.POSITIVE_INFINITY ? null : found + closer.length;
  }
}

/** Where runs of backticks begin, by length, in reverse order. */
function backtickRuns(text: string): ReadonlyMap<number, number[]> {
  const starts = new Map<number, number[]>();
  for (const { index, 0: run } of [...text.matchAll(/`+/g)].reverse()) {
    const same = starts.get(run.length);
    if (same === undefined) starts.set(run.length, [index]);
    else same.push(index);
  }
  return starts;
}
