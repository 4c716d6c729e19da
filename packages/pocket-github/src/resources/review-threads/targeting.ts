import { type FieldError, UnmodelledError, validationFailed } from '../../world/errors.js';
import type { Pull } from '../../world/model.js';
import type { World } from '../../world/world.js';
import type { DiffSide } from './diff-lines.js';
import { commitOfPull, type Misplaced, type Place, placeOf, pullChanges } from './place.js';

/** A single comment as REST clients send it. */
export interface CommentTarget {
  readonly path: string;
  readonly commit_id: string;
  readonly line?: number | undefined;
  readonly side?: DiffSide | undefined;
  readonly start_line?: number | undefined;
  readonly start_side?: DiffSide | undefined;
  readonly subject_type?: 'line' | 'file' | undefined;
}

const resource = 'PullRequestReviewComment';
const field = (name: string) => `pull_request_review_thread.${name}`;
const custom = (name: string, message: string): FieldError => ({
  resource,
  code: 'custom',
  field: field(name),
  message: `${field(name)} ${message}`,
});
const noHunk: FieldError = { resource, code: 'missing_field', field: field('diff_hunk') };

const REFUSALS: { readonly [M in Misplaced]: readonly FieldError[] } = {
  path: [{ resource, code: 'invalid', field: field('path') }, noHunk],
  line: [custom('line', 'must be part of the diff'), noHunk],
  'start after line': [custom('start_line', 'must precede the end line.')],
  'start in another hunk': [custom('start_line', 'must be part of the same hunk as the line.')],
};

/** Finds what a single comment is to stand on, or refuses in the words of that route. */
export async function targetedPlace(
  world: World,
  pull: Pull,
  target: CommentTarget,
): Promise<{ place: Place; commitOid: string }> {
  const { path, line, side = 'RIGHT', start_line: startLine, start_side: startSide } = target;
  if (startLine !== undefined && startSide !== undefined && startSide !== side) {
    throw new UnmodelledError('a review comment that spans both sides of the diff');
  }
  if (line === undefined && target.subject_type !== 'file') {
    throw validationFailed({ resource, code: 'missing_field', field: field('line') });
  }
  const commitOid = await commitOfPull(world, pull, target.commit_id);
  if (commitOid === null) {
    throw validationFailed({
      resource,
      code: 'custom',
      field: 'commit_id',
      message: 'commit_id is not part of the pull request',
    });
  }
  const wanted = target.subject_type === 'file' ? null : (line ?? null);
  const place = placeOf(await pullChanges(world, pull, commitOid), {
    path,
    line: wanted,
    startLine: startLine ?? null,
    side,
  });
  if (typeof place === 'string') throw validationFailed(...REFUSALS[place]);
  return { place, commitOid };
}
