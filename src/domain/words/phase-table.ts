import { formatUsd } from '../budget.js';
import { quotedCell } from '../text/publish.js';
import { duration } from './figures.js';
import type { PhaseRow } from './phase-rows.js';
import type { StatusView } from './status-view.js';

/** In words too: not everybody sees pictures. Kept together, or narrow columns would fall apart. */
const MARKS: Readonly<Record<PhaseRow['stage'] | 'waiting', string>> = {
  passed: '✅\u00a0done',
  current: '🔄\u00a0now',
  waiting: '⏳\u00a0waits',
  resting: '⏸️\u00a0here',
  'to-come': '',
};

/** The way from triage to verification, and how far it has come. */
export function phaseTable({
  rows,
  standing,
  halt,
}: Pick<StatusView, 'rows' | 'standing' | 'halt'>): readonly string[] {
  const lines = rows.map((row) =>
    // Why it stopped is said above the table.
    line(
      { ...row, notes: row.notes.filter((note) => note !== halt?.because) },
      standing === 'waiting' && row.stage === 'current' ? MARKS.waiting : MARKS[row.stage],
    ),
  );
  return ['| | phase | runs | time | cost | notes |', '|---|---|--:|--:|--:|---|', ...lines];
}

function line({ phase, attempts, ms, costUsd, notes }: PhaseRow, mark: string): string {
  const figures =
    attempts === 0 ? ['', '', ''] : [String(attempts), duration(ms).replaceAll(' ', '\u00a0'), formatUsd(costUsd)];
  return `| ${[mark, phase, ...figures, notes.map((note) => quotedCell(note, 200)).join('; ')].join(' | ')} |`;
}
