import { formatUsd } from '../budget.js';
import { quotedLine } from '../text/publish.js';
import { duration } from './figures.js';
import type { PhaseRow } from './phase-rows.js';
import type { StatusView } from './status-view.js';

const MARKS: Readonly<Record<PhaseRow['stage'], string>> = {
  passed: '✅',
  current: '🔄',
  resting: '⏸️',
  'to-come': '▫️',
};

/** The way from triage to verification, and how far it has come. */
export function phaseTable({ rows, standing }: Pick<StatusView, 'rows' | 'standing'>): readonly string[] {
  const lines = rows.map((row) =>
    line(row, standing === 'waiting' && row.stage === 'current' ? '⏳' : MARKS[row.stage]),
  );
  return ['| | phase | runs | time | cost | notes |', '|---|---|--:|--:|--:|---|', ...lines];
}

function line({ phase, attempts, ms, costUsd, notes }: PhaseRow, mark: string): string {
  const figures = attempts === 0 ? ['', '', ''] : [String(attempts), duration(ms), formatUsd(costUsd)];
  return `| ${[mark, phase, ...figures, notes.map((note) => quotedLine(note, 200)).join('; ')].join(' | ')} |`;
}
