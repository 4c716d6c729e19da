import type { GitFileChange } from '../../git/git-repository.js';
import type { Oid, ReviewThread } from '../../world/model.js';
import type { Reaction, World } from '../../world/world.js';
import { diffRows, movedLine } from './diff-lines.js';
import { placeOf, pullChanges } from './place.js';

/**
 * When the head moves, each thread moves with its line. One whose line was changed, or is no longer part of the diff, becomes
 * outdated and stays so.
 */
export const relocateThreads: Reaction = async (world, event) => {
  if (event.name !== 'synchronized' || event.subjectId === null) return;
  const { tables } = world;
  const pull = tables.pulls.by('issueId', event.subjectId)[0];
  const threads =
    pull === undefined ? [] : tables.reviewThreads.by('pullId', pull.id).filter(({ outdated }) => !outdated);
  if (pull === undefined || threads.length === 0) return;
  const { before, after } = event.data;
  const changes = await pullChanges(world, pull, after);
  const [right, left] = await Promise.all([
    changesBetween(world, pull.repositoryId, before, after),
    changesBetween(
      world,
      pull.repositoryId,
      ...(await startsOf(world, pull.repositoryId, pull.baseOid, before, after)),
    ),
  ]);
  for (const thread of threads) {
    const moved = relocated(thread, thread.side === 'RIGHT' ? right : left, changes);
    tables.reviewThreads.update(thread, moved ?? { outdated: true, line: null, startLine: null, position: null });
  }
};

type Location = Pick<ReviewThread, 'line' | 'startLine' | 'position'>;

function relocated(
  thread: ReviewThread,
  since: readonly GitFileChange[],
  changes: readonly GitFileChange[],
): Location | null {
  const line = lineAfter(thread.path, thread.line, since);
  const startLine = lineAfter(thread.path, thread.startLine, since);
  const lost = (thread.line !== null && line === null) || (thread.startLine !== null && startLine === null);
  const place = lost ? 'line' : placeOf(changes, { path: thread.path, line, startLine, side: thread.side });
  if (typeof place === 'string') return null;
  return { line: place.line, startLine: place.startLine, position: place.position };
}

function lineAfter(path: string, line: number | null, since: readonly GitFileChange[]): number | null {
  const change = since.find((candidate) => candidate.path === path);
  if (line === null || change === undefined) return line;
  return movedLine(diffRows(change.patch ?? ''), line);
}

async function changesBetween(
  world: World,
  repositoryId: number,
  from: Oid | null,
  to: Oid | null,
): Promise<readonly GitFileChange[]> {
  return from === to || to === null ? [] : world.git(repositoryId).changes(from, to);
}

/** Where the branch left base before and after the push: what the left side of the diff shows. */
async function startsOf(
  world: World,
  repositoryId: number,
  base: Oid,
  before: Oid,
  after: Oid,
): Promise<[Oid | null, Oid | null]> {
  const git = world.git(repositoryId);
  return [await git.mergeBase(base, before), await git.mergeBase(base, after)];
}
