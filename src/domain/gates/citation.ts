/** `src/tide.js:12`, `Makefile:3`, `docs/a.md#L4`, `src/tide.js line 12`. A bare number with a colon is a time, a bare word with one a port. */
const FILE_AND_LINE =
  /(?:[\w.@+-]+\/[\w./@+-]*\w|[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,9}|[A-Z][a-z]+file|[A-Z]{4,})`?(?::\d+|#L\d+|,? lines? \d+)/;
const COMMAND = /`[^`]+`/;
const EXIT_CODE = /\bexit(?:s|ed)?(?: with)?(?: code| status)?:? \d{1,3}\b/i;

/** Whether a statement cites something that can be checked: a file and line, or a command and its exit code. */
export function hasCitation(evidence: string): boolean {
  return FILE_AND_LINE.test(evidence) || (COMMAND.test(evidence) && EXIT_CODE.test(evidence));
}
