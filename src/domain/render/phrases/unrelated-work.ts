import { shortOid, workBranch } from '../../issue/ids.js';
import type { IssueSnapshot } from '../../state/snapshot.js';

/** Why work cannot continue on a work branch that somebody replaced, and the ref that keeps our work, if there is any. */
export function unrelatedText(
  { ref, base, workHead }: Pick<IssueSnapshot, 'ref' | 'base' | 'workHead'>,
  kept: string | null,
): string {
  const at = workHead === null ? '' : ` (at ${shortOid(workHead)})`;
  const ours = kept === null ? 'None of our work was on it' : `Our work is kept as \`${kept}\``;
  return `\`${workBranch(ref.number)}\`${at} has no commit in common with ${base.ref}. ${ours}`;
}
