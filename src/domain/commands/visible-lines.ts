import { type Block, blocksOf, type Reading } from './markdown-blocks.js';
import { type Mark, marksIn } from './markdown-marks.js';

/** The parts of a comment that Sluice reads. */
export interface CommandLines {
  /** The lines that are commands. */
  readonly commands: readonly string[];
  /** The lines after the first command, up to the first quoted line. Later lines may be somebody else's words. */
  readonly following: readonly string[];
}

/** GitHub shows text in these tags as code, quoted, folded or crossed out, so it is not a command. */
const HIDING_TAGS: ReadonlySet<string> = new Set([
  'blockquote',
  'code',
  'del',
  'details',
  'kbd',
  'pre',
  'samp',
  'script',
  'strike',
  'style',
  'textarea',
]);

/**
 * The lines of a comment that begin with `/auto` and are shown as plain text: not in code, quotes, HTML comments,
 * raw HTML or folded sections. Invisible characters or a backslash before `/auto` make the line ordinary text.
 */
export function findCommandLines(body: string): CommandLines {
  const lines = body.split(/\r\n|\n|\r/);
  if (!lines.some(isCommand)) return { commands: [], following: [] };
  const meant = new Set(visibleStarts(lines, 'lenient'));
  const found = visibleStarts(lines, 'strict').filter((index) => meant.has(index) && isCommand(lines[index] ?? ''));
  const after = found[0] === undefined ? [] : lines.slice(found[0] + 1);
  const quote = after.findIndex((line) => /^\s{0,3}>/.test(line));
  return {
    commands: found.map((index) => (lines[index] ?? '').trimEnd()),
    following: quote === -1 ? after : after.slice(0, quote),
  };
}

/** `/auto`, alone or before a visible space. `/automatic` and `/auto-merge` are other words. */
const isCommand = (line: string): boolean => /^\/auto\p{Cf}*(?:(?!\p{Cf})\s|$)/u.test(line);

/** Indexes of the lines whose first character is plain, visible text. */
function visibleStarts(lines: readonly string[], reading: Reading): readonly number[] {
  const hidden = new HiddenText(lines);
  // Quoted blocks are skipped: a tag that is open at the end of a quote ends there.
  return blocksOf(lines, reading)
    .filter(({ quoted }) => !quoted)
    .flatMap((block) => hidden.visibleLines(block));
}

/** What HTML hides across blocks: open tags and comments. */
class HiddenText {
  readonly #open = new Map<string, number>();
  readonly #commentEnds: readonly number[];
  #hiddenThrough = -1;

  constructor(lines: readonly string[]) {
    this.#commentEnds = nextCommentEnds(lines);
  }

  /** Reads a block and returns those of its lines whose start is visible. */
  visibleLines(block: Block): number[] {
    const marks = marksIn(block.lines.map(({ text }) => text).join('\n'), block.kind);
    const visible: number[] = [];
    let at = 0;
    let next = 0;
    let covered = 0;
    for (const { index, text } of block.lines) {
      for (let mark = marks[next]; mark !== undefined && mark.from < at; mark = marks[next]) {
        if (mark.kind === 'hidden') covered = mark.to;
        else this.#note(mark, index - 1, block);
        next += 1;
      }
      if (covered <= at && this.#open.size === 0 && index > this.#hiddenThrough) visible.push(index);
      at += text.length + 1;
    }
    const last = block.lines.at(-1)?.index ?? 0;
    for (const mark of marks.slice(next)) if (mark.kind !== 'hidden') this.#note(mark, last, block);
    return block.kind === 'html' || isDefinition(block) ? [] : visible;
  }

  #note(mark: Exclude<Mark, { kind: 'hidden' }>, line: number, { kind }: Block): void {
    if (mark.kind === 'comment') {
      // A comment that is never closed is text in a paragraph. One that is closed further down hides everything in between.
      const end = this.#commentEnds[line + 1] ?? -1;
      const never = kind === 'html' ? this.#commentEnds.length : -1;
      this.#hiddenThrough = Math.max(this.#hiddenThrough, end === -1 ? never : end);
      return;
    }
    if (!HIDING_TAGS.has(mark.name)) return;
    const depth = (this.#open.get(mark.name) ?? 0) + (mark.closing ? -1 : 1);
    if (depth > 0) this.#open.set(mark.name, depth);
    else this.#open.delete(mark.name);
  }
}

/** For each line, the first line from there on that closes a comment; -1 when there is none. */
function nextCommentEnds(lines: readonly string[]): readonly number[] {
  const ends = Array.from(lines, () => -1);
  let next = -1;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    if (lines[index]?.includes('-->') === true) next = index;
    ends[index] = next;
  }
  return ends;
}

/** `[name]: address` is not shown, and it may continue on the next lines. */
const isDefinition = ({ lines }: Block): boolean => /^\[[^\]]*\]:/.test(lines[0]?.text ?? '');
