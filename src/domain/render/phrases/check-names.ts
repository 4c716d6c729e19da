import type { CheckFacts } from '../../state/snapshot.js';

/** Limits on number and length, because any App can add checks with any name. */
const MOST = 5;
const LONGEST = 80;

/** Checks by name, as text for people. Empty where there are none. */
export function formatCheckNames(checks: readonly CheckFacts[]): string {
  const names = [...new Set(checks.map(({ name }) => `\`${name.replaceAll(/[`\s]+/g, ' ').slice(0, LONGEST)}\``))];
  const more = names.length - MOST;
  return [...names.slice(0, MOST), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
