import { currentPull, landedCommit, overrulingOf, reviewOf, stateOf, verificationOf } from '../../state/evidence.js';
import type { PhaseCheck } from '../../action/change.js';
import { type Finding, mustFindings } from '../../issue/finding.js';
import { type Oid, shortOid } from '../../issue/ids.js';
import type { IssueSnapshot } from '../../state/snapshot.js';
import type { Policy } from '../../limits/policy.js';
import type { Overruling, ReviewRecord } from '../../state/review-record.js';
import type { Pushed, Triage, VerifyRecord } from '../../state/state.js';
import { quoteText, quoteCell } from '../../sanitise/publish.js';
import { formatCount } from '../phrases/figures.js';
import { criterionText } from '../comments/triage-comment.js';

/** The check runs that the issue's pull request should have. */
export function phaseChecks(snapshot: IssueSnapshot, { hasTests }: Pick<Policy, 'hasTests'>): readonly PhaseCheck[] {
  const pull = currentPull(snapshot);
  const { triage, pushed } = stateOf(snapshot).progress;
  if (pull === null || triage === null) return [];
  if (pull.state === 'merged') {
    const verification = verificationOf(snapshot, landedCommit(snapshot)?.oid ?? '');
    return verification === null ? [] : [verifyCheck(pull.head, triage, verification)];
  }
  if (pull.state === 'closed') return [];
  const review = reviewOf(snapshot, pull.head);
  return [
    ...(pushed === null ? [] : [codeCheck(pushed, triage, hasTests)]),
    ...(review === null ? [] : [reviewCheck(review, overrulingOf(snapshot, pull.head))]),
  ];
}

function codeCheck({ head, summary }: Pushed, triage: Triage, hasTests: boolean): PhaseCheck {
  const criteria = triage.criteria.filter(({ stage, verify }) => stage === 'pre-merge' && verify !== null);
  return {
    name: 'sluice/code',
    head,
    conclusion: 'success',
    title: codeTitle(criteria.length, hasTests),
    summary: [quoteText(summary), '', ...criteria.map((criterion) => `- ✅ ${criterionText(criterion)}`)].join('\n'),
  };
}

/** Names only what was run on this commit. */
function codeTitle(criteria: number, hasTests: boolean): string {
  const checked = formatCount(criteria, 'criterion', 'criteria');
  if (hasTests)
    return criteria === 0 ? 'The tests pass on this commit' : `The tests and ${checked} pass on this commit`;
  return criteria === 0 ? 'Nothing was run on this commit' : `${checked} checked on this commit; no tests were run`;
}

/** Overruled findings stay visible, but no longer block the merge. */
function reviewCheck(review: ReviewRecord, overruling: Overruling | null): PhaseCheck {
  const { head, verdict, findings, score, summary } = review;
  const musts = mustFindings(findings).length;
  if (overruling !== null) {
    const said = `**${overruling.by}** lets this commit through although the review found ${formatCount(musts, 'thing')} that must be changed.`;
    return {
      name: 'sluice/review',
      head,
      conclusion: 'neutral',
      title: `${formatCount(musts, 'finding')} overruled by ${overruling.by}`,
      summary: [said, '', quoteText(summary), ...findingTable(findings)].join('\n'),
    };
  }
  const found = verdict === 'pass' ? 'Nothing must be changed' : `${formatCount(musts, 'thing')} must be changed`;
  return {
    name: 'sluice/review',
    head,
    conclusion: verdict === 'pass' ? 'success' : 'failure',
    title: `${found} · score ${score.toFixed(2)}`,
    summary: [quoteText(summary), ...findingTable(findings)].join('\n'),
  };
}

function findingTable(findings: readonly Finding[]): readonly string[] {
  if (findings.length === 0) return ['', 'No findings.'];
  const rows = findings.map(({ severity, file, line, text }) => {
    const place = line === null ? file : `${file}:${line}`;
    return `| ${severity} | \`${place.replaceAll(/[`|\n]/g, "'")}\` | ${quoteCell(text, 600)} |`;
  });
  return ['', '| | where | what |', '|---|---|---|', ...rows];
}

function verifyCheck(head: Oid, { criteria }: Triage, { oid, results }: VerifyRecord): PhaseCheck {
  const of = (verdict: string): number => results.filter((result) => result.verdict === verdict).length;
  const conclusion = of('FAIL') > 0 ? 'failure' : of('UNCERTAIN') > 0 ? 'neutral' : 'success';
  const texts = new Map(criteria.map(({ id, text }) => [id, text]));
  const rows = results.map(
    ({ id, verdict, evidence }) =>
      `| ${verdict} | ${id} | ${quoteCell(texts.get(id) ?? '')} | ${quoteCell(evidence)} |`,
  );
  return {
    name: 'sluice/verify',
    head,
    conclusion,
    title: `${of('PASS')} of ${formatCount(results.length, 'criterion holds', 'criteria hold')} on ${shortOid(oid)}`,
    summary: ['| verdict | | criterion | evidence |', '|---|---|---|---|', ...rows].join('\n'),
  };
}
