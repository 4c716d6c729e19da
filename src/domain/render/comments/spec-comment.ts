import type { Spec } from '../../state/state.js';
import { quoteText, quoteLine } from '../../sanitise/publish.js';

/** The plan of the work, as a comment. */
export function specText({ approach, files, steps, risks }: Spec): string {
  return [
    '### Spec',
    '',
    quoteText(approach),
    '',
    '**Files**',
    '',
    ...files.map((file) => `- \`${file.replaceAll(/[`\n]/g, "'")}\``),
    '',
    '**Steps**',
    '',
    ...steps.map(
      ({ text, criteria }, index) =>
        `${index + 1}. ${quoteLine(text, 600)}${criteria.length === 0 ? '' : ` (${criteria.join(', ')})`}`,
    ),
    ...(risks.length === 0 ? [] : ['', '**Risks**', '', ...risks.map((risk) => `- ${quoteLine(risk, 600)}`)]),
  ].join('\n');
}
