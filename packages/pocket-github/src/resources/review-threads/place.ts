import type { GitFileChange } from '../../git/git-repository.js';
import type { Oid, Pull, ReviewThread } from '../../world/model.js';
import type { World } from '../../world/world.js';
import { type DiffSide, diffRows, hunkDownTo, rowOfLine } from './diff-lines.js';

/** What a client wants to comment on. Without a line: the whole file. */
export interface Target {
  readonly path: string;
  readonly line: number | null;
  readonly startLine: number | null;
  readonly side: DiffSide;
}

/** A target found in a diff, with what a thread keeps of it. */
export interface Place extends Pick<ReviewThread, 'path' | 'line' | 'startLine' | 'side' | 'subjectType'> {
  readonly position: number;
  readonly diffHunk: string;
}

/** Why a target cannot be commented on. Each way in has its own words for these. */
export type Misplaced = 'path' | 'line' | 'start after line' | 'start in another hunk';

/** The files a pull request changes, as its diff at `head` shows them. */
export async function pullChanges(world: World, pull: Pull, head: Oid): Promise<readonly GitFileChange[]> {
  const git = world.git(pull.repositoryId);
  return git.changes(await git.mergeBase(pull.baseOid, head), head);
}

/** Finds a target in a diff. GitHub takes only files and lines that the diff shows. */
export function placeOf(changes: readonly GitFileChange[], target: Target): Place | Misplaced {
  const { path, line, startLine, side } = target;
  const change = changes.find((candidate) => candidate.path === path);
  if (change === undefined) return 'path';
  const rows = diffRows(change.patch ?? '');
  if (line === null) {
    return { path, line, startLine: null, side, subjectType: 'FILE', position: 1, diffHunk: '' };
  }
  const row = rowOfLine(rows, side, line);
  if (row === undefined) return 'line';
  if (startLine !== null) {
    if (startLine >= line) return 'start after line';
    if (rowOfLine(rows, side, startLine)?.hunk !== row.hunk) return 'start in another hunk';
  }
  const { position } = row;
  return { path, line, startLine, side, subjectType: 'LINE', position, diffHunk: hunkDownTo(rows, row) };
}

/** The commit a comment is about: the head, or another commit of the pull request; `null` if it is neither. */
export async function commitOfPull(world: World, pull: Pull, wanted: Oid | null | undefined): Promise<Oid | null> {
  if (wanted == null || wanted === pull.headOid) return pull.headOid;
  const commits = await world.git(pull.repositoryId).log(pull.baseOid, pull.headOid);
  return commits.some(({ oid }) => oid === wanted) ? wanted : null;
}
