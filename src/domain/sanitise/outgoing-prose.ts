import { codeSpansIn } from './code-spans.js';

/** How to read a piece of prose. */
export interface ProseRules {
  /** Whether backticks can be trusted to make code. If not, they are escaped. */
  readonly code: boolean;
  /** Text of a model or a stranger: no markup, and no link to another issue. */
  readonly foreign: boolean;
}

const REF = String.raw`(?:#\d+|gh-\d+|[\w.-]+\/[\w.-]+#\d+|https?:\/\/[^\s<>\x60]+\/(?:issues|pull)\/\d+)`;
const CLOSES = String.raw`(?<![a-z0-9])(?:close[sd]?|fix(?:es|ed)?|resolve[sd]?)[\s:*_~("'[\\]{1,9}`;
const CLOSING_WORD = new RegExp(`${CLOSES}$`, 'i');
const ANY_REF = String.raw`(?<![\w.&/#-])(?:(?:[\w.-]+\/[\w.-]+)?#\d+|gh-\d+)(?=https?:|ftp:|www\.|(?![a-z0-9]))|(?<!\w)https?:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(?:issues|pull)\/\d+`;

/** Places where prose would have an effect on GitHub. The first match wins. */
const PLACES = {
  /** At the start of a line. */
  command: String.raw`^[ \t]*\/(?=auto)`,
  /** A definition of a link, which is not shown. */
  definition: String.raw`^[ \t]*\[(?=[^\]\n]+\]:)`,
  closing: `${CLOSES}${REF}`,
  ref: ANY_REF,
  url: String.raw`(?<![a-z])(?:(?:https?|ftp):\/\/|www\.)[^\s<]*`,
  mention: String.raw`\\?@(?=[a-z0-9_])(?:[\w-]+(?:\/[\w.-]*\w)*)?`,
  escape: String.raw`\\[!-/:-@[-\x60{-~]`,
  code: '`+',
  entity: String.raw`&(?=#|[a-z][a-z0-9]{0,31};)`,
  tag: String.raw`<(?:\/?(?:details|summary)>|(?=[a-z/!?]))`,
  image: String.raw`!\[(?:[^[\]\n]*\]\([^()\s]*(?: +"[^"\n]*")?\))?`,
  link: String.raw`\]\(`,
  tildes: '~{3,}',
} as const;
type Place = keyof typeof PLACES;

const NAMES = Object.keys(PLACES) as Place[];
const ANYWHERE = new RegExp(NAMES.map((name) => `(?<${name}>${PLACES[name]})`).join('|'), 'gim');

const KNOWN_ENTITY = /&(?:lt|gt|amp|quot|nbsp);/iy;
/** The address and title of a link, without a backtick that could be part of a code span elsewhere. */
const LINK_TAIL =
  /\]\(\s*(?:<[^<>\n`]*>|[^\s()<>`]*(?:\([^\s()<>`]*\)[^\s()<>`]*)*)(?:\s+(?:"[^"`]*"|'[^'`]*'|\([^()`]*\)))?\s*\)/y;

/** One place and the text around it. */
interface Found {
  readonly text: string;
  readonly at: number;
  readonly match: string;
  readonly rules: ProseRules;
  /** The last character written before it; a backtick when code ended there. */
  readonly before: string;
}

/** The same prose without effects: it mentions nobody, closes nothing, shows no image and hides nothing. */
export function inertProse(text: string, rules: ProseRules): string {
  const spanEnd = codeSpansIn(text);
  const written: string[] = [];
  let from = 0;
  for (let found = next(text, from); found !== null; found = next(text, from)) {
    const { at, place, match } = found;
    written.push(text.slice(from, at));
    const before = text.slice(from, at).at(-1) ?? written.findLast((piece) => piece !== '')?.at(-1) ?? '';
    from = at + match.length;
    if (place === 'escape' && !rules.code && !/[\\`]$/.test(match)) {
      // In HTML a backslash does not escape anything.
      written.push('\\');
      from = at + 1;
    } else if (place !== 'code') written.push(inert(place, { text, at, match, rules, before }));
    else {
      const end = rules.code ? spanEnd(at, match.length) : null;
      written.push(end === null ? match.replaceAll('`', '\\`') : text.slice(at, end));
      from = end ?? from;
    }
  }
  return `${written.join('')}${text.slice(from)}`;
}

function next(text: string, from: number): { at: number; place: Place; match: string } | null {
  ANYWHERE.lastIndex = from;
  const found = ANYWHERE.exec(text);
  const place = NAMES.find((name) => found?.groups?.[name] !== undefined);
  return found === null || place === undefined ? null : { at: found.index, place, match: found[0] };
}

function inert(place: Exclude<Place, 'code'>, found: Found): string {
  const { text, at, match, rules, before } = found;
  switch (place) {
    case 'escape':
      return match;
    case 'url':
      return inertAddress(match);
    case 'command':
      return match.replace('/', '\\/');
    case 'definition':
      return match.replace('[', '\\[');
    case 'closing': {
      const ref = new RegExp(`${REF}$`, 'i').exec(match)?.[0] ?? '';
      return `${match.slice(0, match.length - ref.length)}${asCode(ref, { ...found, before: ' ' })}`;
    }
    case 'ref':
      return rules.foreign || CLOSING_WORD.test(text.slice(Math.max(0, at - 20), at)) ? asCode(match, found) : match;
    case 'mention': {
      const isMail = before !== '`' && !match.startsWith('\\') && MAIL_NAME.test(text.slice(Math.max(0, at - 100), at));
      return isMail ? match : asCode(match.replace('\\', ''), found);
    }
    case 'entity':
      KNOWN_ENTITY.lastIndex = at;
      return KNOWN_ENTITY.test(text) ? match : '&amp;';
    case 'tag':
      return match.length > 1 && !rules.foreign ? match : match.replace('<', '&lt;');
    case 'image': {
      const alt = /^!\[([^[\]]*)\]/
        .exec(match)?.[1]
        ?.replaceAll(/[^\p{L}\p{N} .,_-]/gu, '')
        .trim();
      if (alt === undefined) return '!\\[';
      return alt === '' ? '‹image›' : `‹image: ${alt}›`;
    }
    case 'link':
      LINK_TAIL.lastIndex = at;
      return LINK_TAIL.test(text) || !rules.code ? match : `\\${match}`;
    case 'tildes':
      return rules.code ? match : `\\${match}`;
  }
}

/** The part of an e-mail address before its only @. */
const MAIL_NAME = /(?:^|[^\w.+@-])[\w.+-]*[a-z0-9]$/i;

const CODES: Readonly<Record<string, string>> = { '`': '%60', '\\': '%5C', '@': '%40', '&': '%26', '![': '!%5B' };

/** GitHub makes a link of everything up to the next space, including code. Where it does not, this is ordinary text. */
function inertAddress(address: string): string {
  const risky = /[`\\@]|!\[|&(?=#|[a-z][a-z0-9]{0,31};)/gi;
  return address.replaceAll(risky, (found) => CODES[found] ?? found);
}

/** Shows a name as code, separate from other code. Where code is not possible, a space breaks the name. */
function asCode(name: string, { text, at, match, rules, before }: Found): string {
  if (!rules.code) return name.replace(/[@#]|gh-|https?:\/\//i, '$& ');
  const gap = before === '`' ? ' ' : '';
  return `${gap}\`${name}\`${text.charAt(at + match.length) === '`' ? ' ' : ''}`;
}
