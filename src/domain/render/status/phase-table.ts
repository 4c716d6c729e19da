import { formatUsd } from '../../limits/budgets.js';
import { quoteCell } from '../../sanitise/publish.js';
import { formatDuration } from '../phrases/figures.js';
import type { PhaseRow } from './phase-rows.js';
import type { StatusView } from './status-view.js';

/** With words, because not everybody sees emoji. The no-break space keeps both on one line in narrow columns. */
const MARKS: Readonly<Record<PhaseRow['stage'] | 'waiting', string>> = {
  passed: '✅\u00a0done',
  current: '🔄\u00a0now',
  waiting: '⏳\u00a0waits',
  resting: '⏸️\u00a0here',
  'to-come': '',
};

/** The phases from triage to verification, and how far the run is. */
export function phaseTable({ rows, status, halt }: Pick<StatusView, 'rows' | 'status' | 'halt'>): readonly string[] {
  const lines = rows.map((row) =>
    // The reason for the stop is already above the table.
    line(
      { ...row, notes: row.notes.filter((note) => note !== halt?.because) },
      status === 'waiting' && row.stage === 'current' ? MARKS.waiting : MARKS[row.stage],
    ),
  );
  return ['| | phase | runs | time | cost | notes |', '|---|---|--:|--:|--:|---|', ...lines];
}

function line({ phase, attempts, ms, costUsd, notes }: PhaseRow, mark: string): string {
  const figures =
    attempts === 0
      ? ['', '', '']
      : [String(attempts), formatDuration(ms).replaceAll(' ', '\u00a0'), formatUsd(costUsd)];
  return `| ${[mark, phase, ...figures, notes.map((note) => quoteCell(note, 200)).join('; ')].join(' | ')} |`;
}
