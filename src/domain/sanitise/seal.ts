/* The last line of a status comment: a signed note of which state was the newest when the comment was written. */

/** `epoch oid done|open lease-end key signature`. Only numbers and ids, so that no other text can be hidden in it. */
const FORM = String.raw`\d{1,15} [0-9a-f]{40} (?:done|open) \d{1,15} [\w.-]{1,64} [0-9a-f]{64}`;
const LINE = new RegExp(String.raw`\s*<!-- sluice:seen (${FORM}) -->\s*$`);
/** Longer than any seal with its line. */
const LONGEST = 400;

/** The line a status comment ends with. */
export const sealLine = (seal: string | null): string => (seal === null ? '' : `\n\n<!-- sluice:seen ${seal} -->`);

/** A comment without its seal, and the seal; `null` when it has none. */
export function splitSeal(body: string): { readonly text: string; readonly seal: string | null } {
  const found = LINE.exec(body.slice(-LONGEST));
  if (found === null) return { text: body, seal: null };
  return { text: body.slice(0, body.length - found[0].length), seal: found[1] ?? null };
}
