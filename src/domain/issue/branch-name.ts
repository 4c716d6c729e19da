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
  // Our own rule: invisible characters in a branch name are never intended.
  /\p{Cf}/u,
] as const;

/** Whether git and GitHub accept this as a branch name. */
export function isBranchName(text: string): boolean {
  return text !== '' && text.length <= MAX_LENGTH && !FORBIDDEN.some((rule) => rule.test(text));
}
