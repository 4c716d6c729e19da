import { formatUsd } from '../budget.js';
import { quotedLine } from '../text/publish.js';
import { duration } from './figures.js';
import type { PhaseRow } from './phase-rows.js';

const MARKS: Readonly<Record<PhaseRow['stage'], string>> = {
  passed: '✅',
  current: '🔄',
  resting: '⏸️',
  'to-come': '▫️',
};

/** The way from triage to verification, and how far it has come. */
export function phaseTable(rows: readonly PhaseRow[]): readonly string[] {
  return ['| | phase | runs | time | cost | notes |', '|---|---|--:|--:|--:|---|', ...rows.map(line)];
}

function line({ stage, phase, attempts, ms, costUsd, notes }: PhaseRow): string {
  const figures = attempts === 0 ? ['', '', ''] : [String(attempts), duration(ms), formatUsd(costUsd)];
  return `| ${[MARKS[stage], phase, ...figures, notes.map((note) => quotedLine(note, 200)).join('; ')].join(' | ')} |`;
}
