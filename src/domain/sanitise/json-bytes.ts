/* Lengths of texts in bytes of a JSON file, where one character can take six. */

const encoder = new TextEncoder();

/** How many bytes a value takes as JSON in UTF-8. */
export const jsonBytes = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

const LEFT_OUT = ' […] ';
/** The share of a cut text that is kept from its beginning. The rest is from its end, where failures are named. */
const HEAD_SHARE = 0.7;

/** Cuts the middle out of a text that takes too many bytes as JSON. A text that fits stays unchanged. */
export function cutToBytes(text: string, bytes: number): string {
  // Every character takes one to six bytes, so few texts have to be measured.
  if (text.length * 6 + 2 <= bytes || (text.length + 2 <= bytes && jsonBytes(text) <= bytes)) return text;
  let [low, high] = [0, Math.min(text.length, bytes)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (jsonBytes(kept(text, middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  return kept(text, low);
}

/** The first and last characters of a text, without half a surrogate pair. */
function kept(text: string, letters: number): string {
  const head = Math.floor(letters * HEAD_SHARE);
  const start = text.slice(0, head).replace(/[\ud800-\udbff]$/, '');
  const end = text.slice(text.length - (letters - head)).replace(/^[\udc00-\udfff]/, '');
  return `${start}${LEFT_OUT}${letters === head ? '' : end}`;
}
