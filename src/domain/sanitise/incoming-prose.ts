import { codeSpansIn } from './code-spans.js';
import { shownTag } from './html-tags.js';
import { bracketPairs, linkTail } from './links.js';

/** How to read a piece of prose. */
export interface IncomingRules {
  /** Whether backticks can be trusted to make code. */
  readonly code: boolean;
  /** Whether a broken tag may hide what follows. */
  readonly html: boolean;
}

const ATTRIBUTE = String.raw`\s+[^\s"'=<>\x60/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>\x60]+))?`;

/** Places where the source differs from what is shown. */
const PLACES = {
  comment: String.raw`<!--[^]*?(?:-->|(?![^]))`,
  markup: String.raw`<(?:\?[^]*?\?>|!\[CDATA\[[^]*?\]\]>|![a-z][^<>]*>)`,
  tag: String.raw`<\/?[a-z][\w-]*(?:${ATTRIBUTE})*\s*\/?>`,
  broken: String.raw`<(?=[a-z/!?])`,
  escape: String.raw`\\[!-/:-@[-\x60{-~]`,
  code: '`+',
  entity: '&(?:lt|#0*60|#x0*3c);',
  image: String.raw`!\[`,
  nothing: String.raw`\[\s*\]\(`,
  link: String.raw`\]\(`,
} as const;
type Place = keyof typeof PLACES;

const NAMES = Object.keys(PLACES) as Place[];
const ANYWHERE = new RegExp(NAMES.map((name) => `(?<${name}>${PLACES[name]})`).join('|'), 'gi');

/** Only what a reader of the page sees. */
export function shownProse(text: string, rules: IncomingRules): string {
  const spanEnd = codeSpansIn(text);
  const closing = bracketPairs(text);
  const lastBracket = text.lastIndexOf(']');
  const ends = new Set(closing.values());
  const written: string[] = [];
  let from = 0;
  /** Up to here a backtick may close an earlier code span. */
  let oddUntil = 0;
  while (from < text.length) {
    ANYWHERE.lastIndex = from;
    const found = ANYWHERE.exec(text);
    const place = NAMES.find((name) => found?.groups?.[name] !== undefined);
    if (found === null || place === undefined) break;
    const { index: at, 0: match } = found;
    written.push(text.slice(from, at));
    const code = rules.code && at >= oddUntil;
    if (place === 'code') {
      const end = code ? spanEnd(at, match.length) : null;
      if (end === null && at >= oddUntil) oddUntil = paragraphEnd(text, at);
      written.push(text.slice(at, end ?? at + match.length));
      from = end ?? at + match.length;
      continue;
    }
    const shown = shownAt(place, { text, at, match, code, html: rules.html, closing, lastBracket, ends });
    from = shown.end;
    // If this is not a link after all, its backtick may begin a code span.
    if (place === 'link' && shown.text.includes('`')) oddUntil = Math.max(oddUntil, paragraphEnd(text, from));
    written.push(shown.text === '' && joins(text, at, from) ? ' ' : shown.text);
  }
  written.push(text.slice(from));
  return written.join('');
}

interface Found {
  readonly text: string;
  readonly at: number;
  readonly match: string;
  readonly code: boolean;
  readonly html: boolean;
  readonly closing: ReadonlyMap<number, number>;
  readonly lastBracket: number;
  /** Positions of closing brackets that have an opening one. */
  readonly ends: ReadonlySet<number>;
}

function shownAt(place: Exclude<Place, 'code'>, found: Found): { readonly text: string; readonly end: number } {
  const { text, at, match, html } = found;
  const end = at + match.length;
  switch (place) {
    case 'escape':
      return html ? { text: '\\', end: at + 1 } : { text: match, end };
    case 'comment':
    case 'markup':
      return { text: '', end };
    case 'tag':
      return { text: shownTag(match, /[\w)\]]/.test(text.charAt(at - 1))), end };
    case 'broken':
      return html ? { text: '‹…›', end: text.length } : { text: '‹', end };
    case 'entity':
      return { text: '‹', end };
    case 'image': {
      const behind = imageEnd(found);
      return behind === null ? { text: match, end } : { text: '[image]', end: behind };
    }
    case 'nothing':
      return { text: '', end: linkTail(text, end - 2)?.end ?? end };
    case 'link': {
      const tail = linkTail(text, at);
      if (tail === null) return { text: match, end };
      // Without an opening bracket this is not a link, and the address may be a tag.
      const to = tail.to.startsWith('<') && !found.ends.has(at) ? '…' : tail.to;
      return { text: `](${to})`, end: tail.end };
    }
  }
}

/** The position after an image with its address and title; `null` when there is no image. */
function imageEnd({ text, at, code, closing, lastBracket }: Found): number | null {
  if (at > lastBracket) return null;
  if (!code) return paragraphEnd(text, at);
  const close = closing.get(at + 1) ?? text.indexOf(']', at);
  if (text.charAt(close + 1) === '(') return linkTail(text, close)?.end ?? close + 1;
  return text.charAt(close + 1) === '[' ? (closing.get(close + 1) ?? close) + 1 : close + 1;
}

/** Where the paragraph around a position ends, or later if an HTML comment that begins in it hides what follows. */
export function paragraphEnd(text: string, at: number): number {
  const pattern = /\n[ \t]*(?=\n|$(?![^]))/g;
  pattern.lastIndex = at;
  const end = pattern.exec(text)?.index ?? text.length;
  const inside = text.slice(at, end);
  if (inside.lastIndexOf('<!--') <= inside.lastIndexOf('-->')) return end;
  const shownAgain = text.indexOf('-->', end);
  return shownAgain === -1 ? text.length : shownAgain + 3;
}

/** Whether removing a part would join the words before and after it. */
const joins = (text: string, at: number, end: number): boolean =>
  /\S/.test(text.charAt(at - 1)) && /\S/.test(text.charAt(end));
