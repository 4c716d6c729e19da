import { type Criterion, type CriterionResult, formatVerify } from '../../domain/criteria/criterion.js';
import type { Spec } from '../../domain/state/state.js';
import { visibleText } from '../../domain/sanitise/neutralise.js';
import { type Block, list, oneLine } from './prompt.js';

/* Prompt material that several phases share. */

/** `c1 (pre-merge, checked by: command "npm test") The tests pass`. */
function criterionLine({ id, text, verify, stage }: Criterion): string {
  return `${id} (${stage}, ${verify === null ? 'judged' : `checked by: ${formatVerify(verify)}`}) ${oneLine(text)}`;
}

export function criteriaBlock(criteria: readonly Criterion[]): Block {
  return { name: 'criteria', text: criteria.map(criterionLine).join('\n') };
}

/** Results of command checks: all verdicts first, so that long output cannot push one out, then the output. */
export function resultsBlock(results: readonly CriterionResult[]): Block {
  if (results.length === 0) return { name: 'results', text: '' };
  const verdicts = results.map(({ id, verdict }) => `${id} ${verdict}`).join(', ');
  const printed = results
    .filter(({ evidence }) => evidence.trim() !== '')
    .map(({ id, evidence }) => `${id} printed:\n${indented(visibleText(evidence))}`);
  return { name: 'results', text: [verdicts, ...printed].join('\n\n') };
}

const indented = (text: string): string => text.trimEnd().replaceAll(/^(?=.)/gm, '  ');

export function specBlock(spec: Spec | null): Block {
  if (spec === null) return { name: 'spec', text: '' };
  const { approach, files, steps, risks } = spec;
  const lines = [
    approach,
    '',
    'Files:',
    list(files),
    '',
    'Steps:',
    ...steps.map(
      ({ text, criteria }, index) =>
        `${index + 1}. ${oneLine(text)}${criteria.length === 0 ? '' : ` (${criteria.join(', ')})`}`,
    ),
    ...(risks.length === 0 ? [] : ['', 'Risks:', list(risks)]),
  ];
  return { name: 'spec', text: lines.join('\n') };
}
