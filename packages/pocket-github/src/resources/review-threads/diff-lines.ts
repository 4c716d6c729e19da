import type { ReviewThread } from '../../world/model.js';

export type DiffSide = ReviewThread['side'];

/** One row of a file's diff. A context row has a number on both sides, a hunk header on neither. */
export interface DiffRow {
  /** Rows below the first hunk header, which is what GitHub calls a position. */
  readonly position: number;
  /** Counts the hunks of the file from 1. */
  readonly hunk: number;
  readonly left: number | null;
  readonly right: number | null;
  readonly text: string;
}

const HEADER = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The rows of a unified diff without its file header. */
export function diffRows(patch: string): DiffRow[] {
  if (patch === '') return [];
  const rows: DiffRow[] = [];
  let hunk = 0;
  let left = 0;
  let right = 0;
  for (const text of patch.split('\n')) {
    const position = rows.length;
    const header = HEADER.exec(text);
    if (header !== null) {
      hunk += 1;
      left = Number(header[1]);
      right = Number(header[2]);
      rows.push({ position, hunk, left: null, right: null, text });
    } else if (text.startsWith('+')) rows.push({ position, hunk, left: null, right: right++, text });
    else if (text.startsWith('-')) rows.push({ position, hunk, left: left++, right: null, text });
    else if (text.startsWith('\\')) rows.push({ position, hunk, left: null, right: null, text });
    else rows.push({ position, hunk, left: left++, right: right++, text });
  }
  return rows;
}

/** The row that shows a line of the old (`LEFT`) or the new (`RIGHT`) file, if the diff shows it. */
export function rowOfLine(rows: readonly DiffRow[], side: DiffSide, line: number): DiffRow | undefined {
  return rows.find((row) => (side === 'LEFT' ? row.left : row.right) === line);
}

/** The hunk down to a row: what GitHub prints above the comment on it. */
export function hunkDownTo(rows: readonly DiffRow[], last: DiffRow): string {
  return rows
    .filter((row) => row.hunk === last.hunk && row.position <= last.position)
    .map((row) => row.text)
    .join('\n');
}

/** Where a line of the old file is in the new one; `null` if the change took it away. */
export function movedLine(rows: readonly DiffRow[], line: number): number | null {
  let shift = 0;
  for (const { left, right } of rows) {
    if (left !== null && left >= line) return left === line ? right : line + shift;
    if (left === null && right !== null) shift += 1;
    if (left !== null && right === null) shift -= 1;
  }
  return line + shift;
}
