/* Texts by the bytes they take in a JSON file: one letter can take six. */

const encoder = new TextEncoder();

/** How many bytes a value takes as JSON in UTF-8. */
export const jsonBytes = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

const LEFT_OUT = ' […] ';
/** How much of a text that is too long is kept of its beginning; the rest is its end, where failures are named. */
const HEAD_SHARE = 0.7;

/** A text that takes at most so many bytes as JSON: what is too long loses its middle. A text that fits is left alone. */
export function cutToBytes(text: string, bytes: number): string {
  // Every letter takes one byte at least and six at most: few texts have to be measured.
  if (text.length * 6 + 2 <= bytes || (text.length + 2 <= bytes && jsonBytes(text) <= bytes)) return text;
  let [low, high] = [0, Math.min(text.length, bytes)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (jsonBytes(kept(text, middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  return kept(text, low);
}

/** So many letters of both ends, and no half of a pair. */
function kept(text: string, letters: number): string {
  const head = Math.floor(letters * HEAD_SHARE);
  const start = text.slice(0, head).replace(/[\ud800-\udbff]$/, '');
  const end = text.slice(text.length - (letters - head)).replace(/^[\udc00-\udfff]/, '');
  return `${start}${LEFT_OUT}${letters === head ? '' : end}`;
}
