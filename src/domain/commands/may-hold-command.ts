/**
 * Within one line: blanks that go on over lines would be read again from each of them. It takes at least every line the parser
 * takes, and a few more (`/auto-merge`): what a line means is decided by the parser alone.
 */
const COMMAND_LINE = /^[^\S\r\n\u2028\u2029]*\/auto\b/m;

/** Whether a comment is worth parsing: the one test that webhooks and the sweep share. */
export function mayHoldCommand(body: string): boolean {
  return COMMAND_LINE.test(body);
}
