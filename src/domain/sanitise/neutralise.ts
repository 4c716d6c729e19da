import { CONTROL_NAME } from './html-tags.js';
import { paragraphEnd, shownProse } from './incoming-prose.js';
import { cutAt, removeInvisible } from './invisible.js';
import { type Segment, segmentsOf } from './segments.js';

/** One block holds at most this much: a whole issue body fits, a runaway log does not. */
const MAX_BLOCK = 70_000;
const ROOM_FOR_NOTE = 100;

/** Taking something out can bring something else to light; more often than this, somebody means it. */
const MAX_PASSES = 4;

const RULES = { html: /^<[A-Za-z/!?]/, hides: true };

/** Openings of tags with a meaning, in code too: whoever reads the prompt may not see where code ends. */
const TAG_START = /<(?=\s*\/?\s*([\w-]+))/g;

/**
 * Text somebody else wrote, made fit to stand in a prompt: what a reader of the page does not see is taken out, and nothing in
 * it can pass for the end of its fence or for the machine speaking. Text that has been through it passes unchanged.
 */
export function neutralise(text: string, fence: string): string {
  const shown = shownOnly(startOf(text))
    .replaceAll(TAG_START, (opening: string, name: string) => (CONTROL_NAME.test(name) ? '‹' : opening))
    .replaceAll(fence, '…')
    .trimEnd()
    .replace(/^(?:[ \t]*\n)+/, '');
  if (shown.length <= MAX_BLOCK + ROOM_FOR_NOTE) return shown;
  const kept = cutAt(shown, MAX_BLOCK);
  return `${kept}\n… (cut here, ${shown.length - kept.length} more characters)`;
}

/**
 * What a reader of a page with nothing but this text on it sees. Texts of different origin go through it one by one, before they are put
 * together: in one piece, the words of one could make hidden words of another look like code, or point at its footnotes.
 */
export const visibleText = (text: string): string => shownOnly(startOf(text)).trimEnd();

const startOf = (text: string): string => cutAt(removeInvisible(text), 10 * MAX_BLOCK);

function shownOnly(text: string): string {
  let now = text;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const next = onePass(now);
    if (next === now) return now;
    now = next;
  }
  return now.replaceAll('<', '‹').replaceAll('![', '[').replaceAll('](', '] (').replaceAll('`', "'");
}

function onePass(text: string): string {
  const whole = segmentsOf(text, RULES);
  // What is left out may be what made the rest clear or unclear.
  const defined = whole === null ? withoutDefinitions(text) : proseOf(whole, withoutDefinitions);
  const segments = segmentsOf(defined, RULES);
  if (segments !== null) return segments.map(shownSegment).join('\n');
  return shownProse(
    without(defined, ANY_INFO, ([, fence = '']) => fence),
    { code: false, html: true },
  );
}

/** The text with all prose between two pieces of code changed as one. */
function proseOf(segments: readonly Segment[], change: (prose: string) => string): string {
  const pieces: string[] = [];
  let prose: string[] = [];
  for (const segment of segments) {
    if (segment.kind === 'prose') prose.push(segment.text);
    else {
      if (prose.length > 0) pieces.push(change(prose.join('\n')));
      prose = [];
      pieces.push(fencedText(segment));
    }
  }
  if (prose.length > 0) pieces.push(change(prose.join('\n')));
  return pieces.join('\n');
}

/** List markers and quotations. */
const INSIDE = String.raw`^(?:[ \t]|[*+-][ \t]|>|\d{1,9}[.)][ \t])*`;
/** What follows an opening fence is not shown; the name of a language is worth keeping. */
const INFO = /^([ \t]*[`~]+)[ \t]*(?:([A-Za-z+#]{1,12})[ \t]*$|.*)/;
const ANY_INFO = new RegExp(`(${INSIDE}(?:\`{3,}(?=[^\`\n]*$)|~{3,}))[^\n]+`, 'gm');

function shownSegment(segment: Segment): string {
  if (segment.kind === 'fenced') return fencedText(segment);
  return shownProse(segment.text, { code: !segment.html, html: segment.html });
}

function fencedText({ open, body, close }: Extract<Segment, { kind: 'fenced' }>): string {
  return [open.replace(INFO, '$1$2'), ...body, ...(close === null ? [] : [close])].join('\n');
}

/** `[label]: address "title"`, over one to three lines. */
const DEFINITION = new RegExp(
  String.raw`${INSIDE}\[(?!\^)((?:\\.|[^[\]\\])+)\]:[ \t]*\n?[ \t]*(?:(<[^<>\n]*>|[^\s<]\S*)(?:[ \t]*\n?[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$)`,
  'gm',
);
const FOOTNOTE = new RegExp(String.raw`${INSIDE}\[\^([^\]\n]+)\]:.*(?:\n(?!\s*$).*)*`, 'gm');

/** A plain name that a link may go by. */
const LABEL = /\[([\w.-]{1,40})\](?!:)/g;

/** Definitions are not shown; the addresses of links with a plain name stay. They and footnotes need something that points at them. */
function withoutDefinitions(text: string): string {
  const used = new Set(Array.from(text.matchAll(LABEL), ([, label = '']) => label.toLowerCase()));
  const defined = without(text, DEFINITION, ([, label = '', to = '']) =>
    used.has(label.toLowerCase()) && /^https?:\/\/[^\s<]+$/.test(to) ? `[${label}]: ${to}` : '',
  );
  const pointedAt = new Set(Array.from(defined.matchAll(/\[\^([^\]\n]+)\](?!:)/g), ([, label = '']) => label));
  return defined.replaceAll(FOOTNOTE, (note, label: string) => (pointedAt.delete(label) ? note : ''));
}

/** The address of a definition may stand in angle brackets. */
const BRACKETED = /\]:\s*<[^<>\n]*>/;

/** Leaves out what matches, but for what is kept of it; where a tag may have begun in it, the rest of the paragraph too. */
function without(text: string, pattern: RegExp, kept: (match: RegExpMatchArray) => string): string {
  const written: string[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const { index, 0: whole } = match;
    if (index < from) continue;
    const end = index + whole.length;
    written.push(text.slice(from, index), kept(match));
    from = whole.replace(BRACKETED, '').includes('<') ? Math.max(end, paragraphEnd(text, index)) : end;
  }
  return `${written.join('')}${text.slice(from)}`;
}
