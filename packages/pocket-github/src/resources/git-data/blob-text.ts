/** GitHub cuts the text of larger files. */
const MAX_TEXT_BYTES = 512_000;
/** How far git looks for a NUL to tell binary from text. */
const SNIFFED_BYTES = 8000;

export const isBinary = (content: Buffer): boolean => content.subarray(0, SNIFFED_BYTES).includes(0);

export const isTruncated = (content: Buffer): boolean => content.length > MAX_TEXT_BYTES;

/** The text of a file as GraphQL shows it: `null` when it is binary, cut between two characters when it is long. */
export function blobText(content: Buffer): string | null {
  if (isBinary(content)) return null;
  if (!isTruncated(content)) return content.toString('utf8');
  let end = MAX_TEXT_BYTES;
  while (end > 0 && ((content[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return content.subarray(0, end).toString('utf8');
}
