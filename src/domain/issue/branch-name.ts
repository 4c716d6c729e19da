/** GitHub's limit for a whole ref is 255 bytes, `refs/heads/` included. */
const MAX_LENGTH = 244;

/** What git never allows in a ref name: control characters, space, `~^:?*[\`, two dots, `@{`, and some at the edges. */
const FORBIDDEN = [
  /[\p{Cc}\s~^:?*[\\]/u,
  /\.\./,
  /@\{/,
  /^[-/]/,
  /[/.]$/,
  /\/\//,
  /(?:^|\/)\./,
  /\.lock(?:\/|$)/,
  /^@$/,
  // Not git's rule: nobody names a branch so that it cannot be seen.
  /\p{Cf}/u,
] as const;

/** Whether git and GitHub take this for the name of a branch. */
export function isBranchName(text: string): boolean {
  return text !== '' && text.length <= MAX_LENGTH && !FORBIDDEN.some((rule) => rule.test(text));
}
