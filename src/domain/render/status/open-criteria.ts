import { quoteLine } from '../../sanitise/publish.js';
import { listFirst } from '../phrases/figures.js';
import type { CriterionView } from './status-view.js';

/** Criteria that fail or wait for a person, with the evidence. */
export function openCriteria(criteria: readonly CriterionView[]): readonly string[] {
  const open = criteria.filter(({ verdict }) => verdict === 'FAIL' || verdict === 'UNCERTAIN');
  if (open.length === 0) return [];
  const lines = open.map(({ id, verdict, text, evidence }) => {
    const seen = evidence === '' ? '' : ` (${quoteLine(evidence, 200)})`;
    return `**${id}** ${verdict === 'FAIL' ? 'fails' : 'needs a person'}: ${quoteLine(text, 200)}${seen}`;
  });
  return ['', '**Criteria that are not met**', '', ...listFirst(lines)];
}
