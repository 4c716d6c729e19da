import { CONTROL_NAME } from './html-tags.js';
import { paragraphEnd, shownProse } from './incoming-prose.js';
import { cutAt, visible } from './invisible.js';
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
  const start = cutAt(visible(text), 10 * MAX_BLOCK);
  const shown = shownOnly(start)
    .replaceAll(TAG_START, (opening: string, name: string) => (CONTROL_NAME.test(name) ? '‹' : opening))
    .replaceAll(fence, '…')
    .trimEnd()
    .replace(/^(?:[ \t]*\n)+/, '');
  if (shown.length <= MAX_BLOCK + ROOM_FOR_NOTE) return shown;
  const kept = cutAt(shown, MAX_BLOCK);
  return `${kept}\n… (cut here, ${shown.length - kept.length} more characters)`;
}

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
  const segments = segmentsOf(text, RULES);
  if (segments === null) {
    const plain = withoutDefinitions(text).replaceAll(ANY_INFO, '$1');
    return shownProse(plain, { code: false, html: true });
  }
  return segments.map(shownSegment).join('\n');
}

/** List markers and quotations. */
const INSIDE = String.raw`^(?:[ \t]|[*+-][ \t]|>|\d{1,9}[.)][ \t])*`;
/** To the end of the paragraph: where a tag may have begun in what is left out, nothing after it is safe. */
const PARAGRAPH = String.raw`[^]*?(?=\n[ \t]*(?:\n|(?![^]))|(?![^]))`;

/** What follows an opening fence is not shown; the name of a language is worth keeping. */
const INFO = /^([ \t]*[`~]+)[ \t]*(?:([A-Za-z+#]{1,12})[ \t]*$|.*)/;
const ANY_INFO = new RegExp(`(${INSIDE}(?:\`{3,}(?=[^\`\n]*$)|~{3,}))(?:[^\n<]*<${PARAGRAPH}|[^\n]+)`, 'gm');

function shownSegment(segment: Segment): string {
  if (segment.kind === 'prose')
    return shownProse(withoutDefinitions(segment.text), { code: !segment.html, html: segment.html });
  const { open, body, close } = segment;
  return [open.replace(INFO, '$1$2'), ...body, ...(close === null ? [] : [close])].join('\n');
}

/** `[label]: address "title"`, over one to three lines. */
const DEFINITION = new RegExp(
  String.raw`${INSIDE}\[(?!\^)((?:\\.|[^[\]\\])+)\]:[ \t]*\n?[ \t]*(?:(<[^<>\n]*>|[^\s<]\S*)(?:[ \t]*\n?[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$)`,
  'gm',
);
const FOOTNOTE = new RegExp(String.raw`${INSIDE}\[\^([^\]\n]+)\]:.*(?:\n(?!\s*$).*)*`, 'gm');

/** Definitions are not shown; the addresses of links with a plain name stay. Footnotes are shown where something points at them. */
function withoutDefinitions(text: string): string {
  const written: string[] = [];
  let from = 0;
  for (const { index, 0: whole, 1: label = '', 2: to = '' } of text.matchAll(DEFINITION)) {
    if (index < from) continue;
    const plain = /^[\w.-]{1,40}$/.test(label) && /^https?:\/\/[^\s<]+$/.test(to);
    written.push(text.slice(from, index), plain ? `[${label}]: ${to}` : '');
    const end = index + whole.length;
    from = whole.replace(to, '').includes('<') || to.indexOf('<', 1) > 0 ? paragraphEnd(text, end) : end;
  }
  const defined = `${written.join('')}${text.slice(from)}`;
  const pointedAt = new Set(Array.from(defined.matchAll(/\[\^([^\]\n]+)\](?!:)/g), ([, label = '']) => label));
  return defined.replaceAll(FOOTNOTE, (note, label: string) => (pointedAt.delete(label) ? note : ''));
}
