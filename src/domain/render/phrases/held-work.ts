import { type Oid, savedWorkRef } from '../../issue/ids.js';
import { TEXT_HASH_DIGITS } from '../../issue/hash-digits.js';
import { quoteLine } from '../../sanitise/publish.js';
import type { HeldWork } from '../../state/kept-work.js';

/** The digits of a commit that people copy: enough that no other commit begins alike. */
export const shortHash = (commit: Oid): string => commit.slice(0, 12);

/** More digits than for a commit, because an author could prepare two texts whose hashes begin alike. */
export const textHash = (hash: string): string => hash.slice(0, TEXT_HASH_DIGITS);

const MOST_NAMED = 5;

/** `.github/sluice.yml, CODEOWNERS and 3 more`. */
function namePaths(paths: readonly string[]): string {
  const shown = paths.slice(0, MOST_NAMED).map((path) => `\`${path.replaceAll(/[`\s\p{C}]/gu, '?').slice(0, 120)}\``);
  const rest = paths.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}

/** Why work that changes protected files waits, and where people can see it. */
export function heldWorkText(commit: Oid, paths: readonly string[], ref: string): string {
  const hash = shortHash(commit);
  return `commit ${hash} changes ${namePaths(paths)}. It is kept as \`${ref}\`, on no branch, so that no CI runs it. \`/auto approve ${hash}\` lets exactly this commit go on`;
}

/** The same for work whose own run could not say it, because the issue was edited or another instance took over. */
export function unaskedText(issue: number, { commit, paths }: HeldWork): string {
  const hash = shortHash(commit);
  return `an earlier run left commit ${hash}, which changes ${namePaths(paths)}. It is kept below \`${savedWorkRef(issue, '')}\`, on no branch, so that no CI runs it. \`/auto approve ${hash}\` lets exactly this commit go on, and no agent is paid before you have decided`;
}

/** The same when GitHub refuses to store the work: there is nothing to see or approve. */
export function refusedWorkText(paths: readonly string[], why: string): string {
  return `the work changes ${namePaths(paths)}, and GitHub does not take that from Sluice: ${quoteLine(why, 300)} So it cannot be approved: that part has to be made by hand. The commit is kept on the machine Sluice runs on, and its log says where`;
}
