/**
 * Matches within one line, because blanks across lines would be scanned again from each line. It accepts every line the parser
 * accepts, and a few more (`/auto-merge`). Only the parser decides what a line means.
 */
const COMMAND_LINE = /^[^\S\r\n\u2028\u2029]*\/auto\b/m;

/** Whether a comment is worth parsing. Webhooks and the sweep share this test. */
export function mayHoldCommand(body: string): boolean {
  return COMMAND_LINE.test(body);
}
