/** Something written that points at an issue or pull request. */
export interface Reference {
  /** `owner/name`; `null` for the repository it is written in. */
  readonly repository: string | null;
  readonly number: number;
  /** Written after a keyword that closes: `fixes #12`. */
  readonly closes: boolean;
}

const KEYWORD = '(?<keyword>close[sd]?|fix(?:es|ed)?|resolve[sd]?):?[ \\t]+';
const NAME = '[\\w.-]+/[\\w.-]+';
const TARGET = [
  '(?<![\\w&/#])#(?<plain>\\d+)',
  '(?<![\\w/])GH-(?<gh>\\d+)',
  `(?<![\\w/.-])(?<named>${NAME})#(?<namedNumber>\\d+)`,
  `https?://[^\\s/]+/(?<linked>${NAME})/(?:issues|pull)/(?<linkedNumber>\\d+)`,
].join('|');
const REFERENCE = new RegExp(`(?:(?<!\\w)${KEYWORD})?(?:${TARGET})(?!\\w)`, 'gi');

/**
 * Everything in a text that points at an issue or pull request, in order: `#12`, `GH-12`, `owner/name#12` and addresses,
 * each with or without one of GitHub's nine closing keywords before it. One keyword closes one issue: `closes #1, #2`
 * closes only the first, as GitHub documents.
 */
export function parseReferences(text: string): Reference[] {
  return [...text.matchAll(REFERENCE)].flatMap(({ groups = {} }) => {
    const number = Number(groups['plain'] ?? groups['gh'] ?? groups['namedNumber'] ?? groups['linkedNumber']);
    const repository = groups['named'] ?? groups['linked'] ?? null;
    return number > 0 ? [{ repository, number, closes: groups['keyword'] !== undefined }] : [];
  });
}
