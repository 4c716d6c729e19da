/** Characters that could break the line, hide text or turn it around. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu;
const LONGEST = 500;

/** A reason as the one line of a commit message that it becomes. */
export function formatSubject(because: string): string {
  const line = because.replaceAll(UNPRINTABLE, ' ').replaceAll(/\s+/g, ' ').trim();
  return Array.from(line).slice(0, LONGEST).join('') || 'No reason given';
}
