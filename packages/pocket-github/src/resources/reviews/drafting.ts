import { UnmodelledError } from '../../world/errors.js';
import type { Oid, Pull } from '../../world/model.js';
import type { World } from '../../world/world.js';
import type { DiffSide } from '../review-threads/diff-lines.js';
import { commitOfPull, type Misplaced, placeOf, pullChanges } from '../review-threads/place.js';
import type { NewReview } from './rules.js';
import { unprocessableEntity, type Verdict } from './verdict.js';

/** A comment as clients send it with a review. */
export interface DraftComment {
  readonly path: string;
  readonly body: string;
  readonly line?: number | undefined;
  readonly startLine?: number | null | undefined;
  readonly side?: DiffSide | undefined;
  readonly startSide?: DiffSide | null | undefined;
}

/** A review as clients send it. */
export interface DraftReview {
  readonly body?: string | null | undefined;
  readonly commitOid?: Oid | null | undefined;
  readonly verdict?: Verdict | null | undefined;
  readonly comments?: readonly DraftComment[] | null | undefined;
}

const REFUSALS: { readonly [M in Misplaced]: string } = {
  path: 'Path could not be resolved',
  line: 'Line could not be resolved',
  'start after line': 'Pull request review thread start line must precede the end line.',
  'start in another hunk': 'Pull request review thread start line must be part of the same hunk as the line.',
};

/** Finds what a review wants to comment on. One comment out of place refuses the whole review. */
export async function draftedReview(world: World, pull: Pull, draft: DraftReview): Promise<NewReview> {
  const commitOid = await commitOfPull(world, pull, draft.commitOid);
  if (commitOid === null) throw unprocessableEntity('Commit is not part of the pull request');
  const wanted = draft.comments ?? [];
  const changes = wanted.length === 0 ? [] : await pullChanges(world, pull, commitOid);
  const comments = wanted.map(({ path, body, line, startLine, side = 'RIGHT', startSide }) => {
    if (startSide != null && startLine != null && startSide !== side)
      throw new UnmodelledError('a review comment that spans both sides of the diff');
    const place = line === undefined ? 'line' : placeOf(changes, { path, line, startLine: startLine ?? null, side });
    if (typeof place === 'string') throw unprocessableEntity(REFUSALS[place]);
    return { place, body };
  });
  return { body: draft.body ?? '', commitOid, verdict: draft.verdict ?? null, comments };
}
