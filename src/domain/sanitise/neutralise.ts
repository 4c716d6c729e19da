import { CONTROL_NAME } from './html-tags.js';
import { paragraphEnd, shownProse } from './incoming-prose.js';
import { cutAt, removeInvisible } from './invisible.js';
import { type Segment, segmentsOf } from './segments.js';

/** The longest block: a whole issue body fits, an endless log does not. */
const MAX_BLOCK = 70_000;
const ROOM_FOR_NOTE = 100;

/** Removing one thing can reveal another. More passes than this are needed only for an attack. */
const MAX_PASSES = 4;

const RULES = { html: /^<[A-Za-z/!?]/, hides: true };

/** Starts of tags with a meaning, even in code: the model may not see where code ends. */
const TAG_START = /<(?=\s*\/?\s*([\w-]+))/g;

/**
 * Makes untrusted text safe for a prompt. What a reader of the page does not see is removed, and nothing in
 * it can look like the end of its fence or like a system message. A second pass changes nothing.
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
 * What a reader of a page with only this text sees. Texts of different origin are filtered one by one, before they are put
 * together. Otherwise one text could make hidden words of another look like code, or refer to its footnotes.
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
  // Removing definitions can change what is code, so the text is split again.
  const defined = whole === null ? withoutDefinitions(text) : proseOf(whole, withoutDefinitions);
  const segments = segmentsOf(defined, RULES);
  if (segments !== null) return segments.map(shownSegment).join('\n');
  return shownProse(
    without(defined, ANY_INFO, ([, fence = '']) => fence),
    { code: false, html: true },
  );
}

/** Changes all prose between two pieces of code as one text. */
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
/** The text after an opening fence is not shown. The name of a language is kept. */
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

/** A plain label that a link can refer to. */
const LABEL = /\[([\w.-]{1,40})\](?!:)/g;

/** Removes definitions, which are not shown. Those of links with a plain label, and footnotes, stay if something refers to them. */
function withoutDefinitions(text: string): string {
  const used = new Set(Array.from(text.matchAll(LABEL), ([, label = '']) => label.toLowerCase()));
  const defined = without(text, DEFINITION, ([, label = '', to = '']) =>
    used.has(label.toLowerCase()) && /^https?:\/\/[^\s<]+$/.test(to) ? `[${label}]: ${to}` : '',
  );
  const pointedAt = new Set(Array.from(defined.matchAll(/\[\^([^\]\n]+)\](?!:)/g), ([, label = '']) => label));
  return defined.replaceAll(FOOTNOTE, (note, label: string) => (pointedAt.delete(label) ? note : ''));
}

/** The address of a definition may be in angle brackets. */
const BRACKETED = /\]:\s*<[^<>\n]*>/;

/** Removes matches except for their `kept` part. If a tag may begin in a match, the rest of the paragraph is removed too. */
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
