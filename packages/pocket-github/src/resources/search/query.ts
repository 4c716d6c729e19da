import { UnmodelledError } from '../../world/errors.js';

/** One `key:value` of a search; `-key:value` excludes. */
export interface Qualifier {
  readonly key: string;
  readonly value: string;
  readonly excludes: boolean;
}

export interface SearchQuery {
  readonly qualifiers: readonly Qualifier[];
  /** Free words and quoted phrases, lower case; all must occur. */
  readonly words: readonly string[];
}

/** A qualifier with a plain or quoted value, a quoted phrase, or a word. */
const TERM = /(?<not>-)?(?<key>[a-z-]+):(?:"(?<quoted>[^"]*)"|(?<plain>[^\s"]+))|"(?<phrase>[^"]+)"|(?<word>[^\s"]+)/g;

/** Reads GitHub's search syntax. Boolean operators and parentheses are not modelled. */
export function parseQuery(text: string): SearchQuery {
  const qualifiers: Qualifier[] = [];
  const words: string[] = [];
  for (const { groups = {} } of text.matchAll(TERM)) {
    const { not, key, quoted, plain, phrase, word } = groups;
    if (key !== undefined) qualifiers.push({ key, value: quoted ?? plain ?? '', excludes: not !== undefined });
    else words.push(plainWord(phrase, word));
  }
  return { qualifiers, words };
}

function plainWord(phrase: string | undefined, word = ''): string {
  if (phrase !== undefined) return phrase.toLowerCase();
  if (/^(AND|OR|NOT)$|^[-()]|\)$/.test(word)) throw new UnmodelledError(`the search operator "${word}"`);
  return word.toLowerCase();
}
