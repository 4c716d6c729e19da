/** Characters no reader sees: controls, soft hyphen, zero width, direction, tags, variation selectors, halves of pairs. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\p{Cs}]|(?![\n\t])\p{Cc}/gu;

/** The same, except for the characters that turn a sign into an emoji, directly after one. */
const INVISIBLE_BUT_EMOJI =
  /(?<!\p{Extended_Pictographic}\ufe0f?)[\ufe0f\u200d]|(?![\ufe0f\u200d])[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\p{Cs}]|(?![\n\t])\p{Cc}/gu;

const unixLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

/** Removes invisible characters and makes all line ends `\n`. */
export function removeInvisible(text: string): string {
  return unixLines(text).replaceAll(INVISIBLE, '');
}

/** The same for our own texts: emoji stay whole. */
export function removeInvisibleExceptEmoji(text: string): string {
  return unixLines(text).replaceAll(INVISIBLE_BUT_EMOJI, '');
}

/** Characters a terminal would act on, except line ends and tabs. They are written as `\\u001b`, which JSON can parse. */
const CONTROL_CHARACTERS = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

export function escapeControls(text: string): string {
  return text.replaceAll(CONTROL_CHARACTERS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** At most `length` characters, without half a surrogate pair at the end. */
export function cutAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
