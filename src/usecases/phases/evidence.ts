/** A path with a line, a file with an extension, or a command in backticks. */
const CITATION = /`[^`]+`|[\w./@-]*[\w-]\.[A-Za-z]\w{0,9}(?::\d+)?\b|[\w.@-]+\/[\w./@-]+/;

/** Whether a statement points at something anybody can look up. An opinion is not evidence. */
export function cites(evidence: string): boolean {
  return CITATION.test(evidence);
}
