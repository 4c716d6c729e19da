import { type Criterion, formatVerify, type Verdict } from '../../criteria/criterion.js';
import type { Size } from '../../issue/size.js';
import type { Triage } from '../../state/state.js';
import { quoteText, quoteLine } from '../../sanitise/publish.js';

/** Shown only here, where people read how the work will be judged. */
const NO_TESTS =
  'The repository names no test command (`test` in `.github/sluice.yml`), so Sluice runs no tests of its own: only the criteria above and the checks of the pull request count.';

/** The result of triage, and the criteria for done. */
export function triageText(
  triage: Triage,
  { size, hasTests, verdictOf }: { size: Size; hasTests: boolean; verdictOf: (id: string) => Verdict | 'open' },
): string {
  return [
    `### Triage: size ${size}, ${triage.type}`,
    '',
    quoteText(triage.summary),
    '',
    ...triage.reasons.map((reason) => `- ${quoteLine(reason)}`),
    '',
    '**Acceptance criteria**',
    '',
    ...triage.criteria.map((criterion) => `- ${MARKS[verdictOf(criterion.id)]} ${criterionText(criterion)}`),
    ...(hasTests ? [] : ['', NO_TESTS]),
    '',
    `Hash of the criteria: \`${triage.criteriaHash.slice(0, 12)}\``,
  ].join('\n');
}

const MARKS: Readonly<Record<Verdict | 'open', string>> = {
  PASS: '✅',
  FAIL: '❌',
  SKIPPED: '⏭️',
  UNCERTAIN: '❔',
  open: '▫️',
};

/** `**c1** The tests pass (`command "npm test"`)`. */
export function criterionText({ id, text, verify, stage }: Criterion): string {
  const how = verify === null ? 'judged' : `\`${formatVerify(verify).replaceAll(/[`\n]/g, "'")}\``;
  return `**${id}** ${quoteLine(text, 600)} (${how}${stage === 'post-merge' ? ', after the merge' : ''})`;
}
