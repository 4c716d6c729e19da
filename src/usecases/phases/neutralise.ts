/** One block holds at most this much: a whole issue body fits, a runaway log does not. */
const MAX_BLOCK = 70_000;

/** Fenced code, inline code, or an HTML comment, whichever begins first. Comments without an end hide the rest, as on GitHub. */
const CODE_OR_COMMENT =
  /^[ \t]*(`{3,}|~{3,})[^\n]*(?:\n[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))|$)|(`+)(?!`)[^\n]*?[^`\n]\2(?!`)|<!--[\s\S]*?(?:-->|(?![\s\S]))/gm;

/** Characters no reader sees: controls, soft hyphen, zero width, direction, tags, variation selectors. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]|(?![\n\t])\p{Cc}/gu;

/** Openings of tags that mean something to the CLI, or that look like a fence of ours. */
const CONTROL_TAG =
  /<(?=\s*\/?\s*(?:system-reminder|command-\w+|local-command-\w+|task-notification|user-prompt-submit-hook|new-diagnostics|data-\w+))/gi;

/**
 * Text somebody else wrote, made fit to stand in a prompt: what a reader of the page does not see is taken out, and nothing in
 * it can pass for the end of its fence or for the machine speaking.
 */
export function neutralise(text: string, fence: string): string {
  const visible = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(INVISIBLE, '')
    .replaceAll(CODE_OR_COMMENT, (match) => (match.startsWith('<!--') ? '' : match))
    .replaceAll(CONTROL_TAG, '‹')
    .replaceAll(fence, '…')
    .trim();
  return visible.length <= MAX_BLOCK
    ? visible
    : `${visible.slice(0, MAX_BLOCK)}\n… (cut here, ${visible.length - MAX_BLOCK} more characters)`;
}
