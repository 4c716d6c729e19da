import { stateOf } from '../../state/evidence.js';
import { formatIssue } from '../../issue/ids.js';
import type { IssueSnapshot } from '../../state/snapshot.js';
import { quoteText, quotePlain } from '../../sanitise/publish.js';
import { criterionText } from '../comments/triage-comment.js';

/** Title of the pull request and of the commit it becomes. */
export function pullTitle(snapshot: IssueSnapshot): string {
  const title = stateOf(snapshot).run?.authorised.title ?? snapshot.title;
  return title.length <= 200 ? title : `${title.slice(0, 199)}…`;
}

/** Says `Refs`, not `Closes`: we close the issue ourselves when the criteria hold on the merged commit. */
export function pullBody(snapshot: IssueSnapshot): string {
  const { pushed, triage } = stateOf(snapshot).progress;
  const criteria = triage?.criteria.map((criterion) => `- ${criterionText(criterion)}`) ?? [];
  return [
    `Refs #${snapshot.ref.number}`,
    '',
    quoteText(pushed?.summary ?? ''),
    '',
    '**Acceptance criteria**',
    '',
    ...criteria,
  ].join('\n');
}

/** The commit message of a patch. We find the commit again by the trailer. */
export function patchMessage(snapshot: IssueSnapshot, summary: string): string {
  return `${pullTitle(snapshot)}\n\n${quotePlain(summary)}\n\nSluice-Issue: ${formatIssue(snapshot.ref)}\n`;
}
